// npm and npx run a command through a shell, and pass SIGTERM to the shell only, which ends without passing
// it on. So what they have started notices that its parent has ended, and ends as if it had got the signal.
const EVERY_MS = 500;

export function endWithParent(environment: NodeJS.ProcessEnv = process.env): void {
  if (environment['npm_command'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  timer.unref();
}
