// Progress output of the scripts: a bar redrawn in place on a terminal, one line per step elsewhere.
const WIDTH = 24;
const EVERY_MS = 500;

const isTerminal = () => process.stdout.isTTY;

/** Shows the steps of a task. Call `next(name)` at the start of each step and `end()` after the last. */
export function showSteps(label, translation, total) {
  let done = -1;
  return {
    next(name) {
      done += 1;
      const step = `${done + 1}/${total} ${name}`;
      if (isTerminal()) redraw(`${label} · ${translation} ${bar(done / total)} ${step}`);
      else console.log(`${label} ${step} · ${translation} …`);
    },
    end: erase,
  };
}

/** Shows the share that `measure` returns (0 to 1) until the returned function is called. */
export function showShare(label, translation, measure) {
  if (!isTerminal()) {
    console.log(`${label} · ${translation} …`);
    return () => undefined;
  }
  const draw = () => {
    const share = measure();
    redraw(`${label} · ${translation} ${bar(share)} ${Math.floor(share * 100)} %`);
  };
  draw();
  const timer = setInterval(draw, EVERY_MS);
  return () => {
    clearInterval(timer);
    erase();
  };
}

function bar(share) {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`;
}

function redraw(text) {
  process.stdout.write(`\r\x1b[2K${text}`);
}

function erase() {
  if (isTerminal()) process.stdout.write('\r\x1b[2K');
}
