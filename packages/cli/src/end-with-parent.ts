// npm and npx run a command through a shell, and pass SIGTERM to the shell only, which ends without passing
// it on. So what they have started notices that its parent has ended, and ends as if it had got the signal.
const EVERY_MS = 500;

/** `always`: also if neither npm nor npx has started it, for programs that end with the test they are for. */
export function endWithParent(when: 'under npm' | 'always' = 'under npm'): void {
  if (when === 'under npm' && process.env['npm_command'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  timer.unref();
}
