// Asks again where a server is away, with growing pauses, so that nobody has to reload the page for it.

// How often what is shown is asked for again, and what must read the lake for it.
export const REFRESH_MS = 15_000;
export const SLOW_REFRESH_MS = 60_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
// The api-server did not answer at all (0), or what stands before it says so (502, 504), or it waited for another server.
const AWAY = [0, 502, 503, 504];

export function isAway(error) {
  return AWAY.includes(error.status);
}

// Doubled each time and never sooner than the server asked for. A little by chance: others wait for the same server.
export function pauseMs(error, tries) {
  const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return Math.max(grown * (1 + Math.random() / 4), (error.retryAfterS ?? 0) * 1000);
}

// What *ask* is answered at last. *tell* is called with each fault that passes, and with null once none is left.
export async function patiently(ask, tell) {
  for (let tries = 0; ; tries += 1) {
    try {
      const found = await ask();
      tell(null);
      return found;
    } catch (error) {
      if (!isAway(error)) {
        tell(null);
        throw error;
      }
      tell(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs(error, tries)));
    }
  }
}

// Shows what *ask* is answered, now and then every *everyMs*: not while nobody sees the page, or while *isHeld*. A fault of the
// first time is thrown; of a later one *failed* is told, and it is asked for again all the same.
export async function freshly(ask, { tell, show, failed, isHeld = () => false, everyMs = REFRESH_MS }) {
  const again = async () => {
    try {
      if (!document.hidden && !isHeld()) show(await patiently(ask, tell));
    } catch (error) {
      failed(error);
    }
    setTimeout(again, everyMs);
  };
  show(await patiently(ask, tell));
  setTimeout(again, everyMs);
}
