// Numbers, sizes, durations and times for people.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const second = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short" });

export const NONE = "–";

// A value that is missing, or computed from a missing one. 0 is neither.
export function isUnknown(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

export function count(n) {
  return isUnknown(n) ? NONE : whole.format(n);
}

export function compact(n) {
  if (isUnknown(n)) return NONE;
  return Math.abs(n) < 10_000 ? whole.format(n) : short.format(n);
}

export function bytes(n) {
  if (isUnknown(n)) return NONE;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (n >= 1024 && at < units.length - 1) {
    n /= 1024;
    at += 1;
  }
  return `${at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[at]}`;
}

export function span(seconds) {
  if (isUnknown(seconds)) return NONE;
  const sign = seconds < 0 ? "−" : "";
  let s = Math.abs(seconds);
  if (s < 10) return `${sign}${s.toFixed(1)} s`;
  s = Math.round(s);
  if (s < 60) return `${sign}${s} s`;
  if (s < 3600) return `${sign}${Math.floor(s / 60)} min ${s % 60 ? `${s % 60} s` : ""}`.trim();
  if (s < 86400) return `${sign}${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${sign}${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

// Seconds between two times, each a string or in ms. `new Date(null)` would be 1970.
export function between(earlier, later) {
  return isUnknown(earlier) || isUnknown(later) ? null : (new Date(later) - new Date(earlier)) / 1000;
}

export function since(seconds) {
  return isUnknown(seconds) ? NONE : `${span(Math.max(0, seconds))} ago`;
}

export function ago(value, now) {
  return since(between(value, now));
}

export function at(value) {
  const date = new Date(value ?? NaN);
  return isUnknown(date.getTime()) ? NONE : moment.format(date);
}

// Without the day if it is within the last hours.
export function time(value, now = Date.now()) {
  const hours = (now - new Date(value ?? NaN).getTime()) / 3_600_000;
  return hours < 12 ? clock.format(new Date(value)) : at(value);
}

export function tick(value, spanMs) {
  const date = new Date(value ?? NaN);
  return isUnknown(date.getTime()) ? "" : (spanMs > 36 * 3_600_000 ? day : spanMs < 600_000 ? second : clock).format(date);
}

export function plural(n, one, many = `${one}s`, format = count) {
  return `${format(n)} ${n === 1 ? one : many}`;
}

export function compactly(n, one) {
  return plural(n, one, `${one}s`, compact);
}
