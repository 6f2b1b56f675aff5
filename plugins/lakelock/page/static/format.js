// Numbers, sizes, spans and moments as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short" });

export const NONE = "–";

export function count(n) {
  return n === null || n === undefined ? NONE : whole.format(n);
}

export function compact(n) {
  if (n === null || n === undefined) return NONE;
  return Math.abs(n) < 10_000 ? whole.format(n) : short.format(n);
}

export function bytes(n) {
  if (n === null || n === undefined) return NONE;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (n >= 1024 && at < units.length - 1) {
    n /= 1024;
    at += 1;
  }
  return `${at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[at]}`;
}

export function span(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  const sign = seconds < 0 ? "−" : "";
  let s = Math.abs(seconds);
  if (s < 10) return `${sign}${s.toFixed(1)} s`;
  s = Math.round(s);
  if (s < 60) return `${sign}${s} s`;
  if (s < 3600) return `${sign}${Math.floor(s / 60)} min ${s % 60 ? `${s % 60} s` : ""}`.trim();
  if (s < 86400) return `${sign}${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${sign}${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

export function ago(text, now) {
  return text ? `${span(Math.max(0, (new Date(now) - new Date(text)) / 1000))} ago` : NONE;
}

export function at(value) {
  return value === null || value === undefined ? NONE : moment.format(new Date(value));
}

export function tick(value, spanMs) {
  return (spanMs > 36 * 3_600_000 ? day : clock).format(new Date(value));
}

export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}
