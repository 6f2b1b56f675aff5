// Retries with growing pauses while a server is away, so that the page need not be reloaded.

// Refresh intervals: the usual one, and the one for answers that read the lake.
export const REFRESH_MS = 15_000;
export const SLOW_REFRESH_MS = 60_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
// The api-server did not answer (0), a proxy before it says so (502, 504), or it waited for another server (503).
const AWAY = [0, 502, 503, 504];

export function isAway(error) {
  return AWAY.includes(error.status);
}

// Doubled each time, never shorter than the server's Retry-After, with some jitter: others wait for the same server.
export function pauseMs(error, tries) {
  const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return Math.max(grown * (1 + Math.random() / 4), (error.retryAfterS ?? 0) * 1000);
}

// The answer of *ask*, retried while errors pass. *report* is called with each error, and with null once there is an
// answer.
export async function patiently(ask, report) {
  for (let tries = 0; ; tries += 1) {
    try {
      const found = await ask();
      report(null);
      return found;
    } catch (error) {
      if (!isAway(error)) {
        report(null);
        throw error;
      }
      report(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs(error, tries)));
    }
  }
}

// Shows answers of *ask* every *everyMs*, unless the page is hidden or *isInUse*. A first error is thrown; later ones
// go to *failed*, and requests continue.
export async function freshly(ask, { report, show, failed, isInUse = () => false, everyMs = REFRESH_MS }) {
  const again = async () => {
    try {
      if (!document.hidden && !isInUse()) show(await patiently(ask, report));
    } catch (error) {
      failed(error);
    }
    setTimeout(again, everyMs);
  };
  show(await patiently(ask, report));
  setTimeout(again, everyMs);
}
