// Starts the processes that are measured, and reads their use of CPU and memory from the kernel.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const TICKS = 100;

export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const status = (pid, field) =>
  Math.round(
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  );

export const residentMegabytes = (pid) => status(pid, 'VmRSS');
/**
 * Of these, mapped files: the program and the data. The kernel reclaims them when it needs memory.
 */
export const mappedMegabytes = (pid) => status(pid, 'RssFile');

/** The built command on embedded storage. */
export async function readyServer(root, dataDir, args = []) {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [path.join(root, 'packages/cli/bundle/main.js'), 'serve', '--data-dir', dataDir, '--port', '0', ...args],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let text = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const readyMs = Math.round(performance.now() - began);
  const [, url, file] = /^ready (\S+) kubeconfig (\S+)/.exec(text);
  const token = /token: (\S+)/.exec(readFileSync(file, 'utf8'))[1];
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { url, token, pid: child.pid, readyMs, stop, kubeconfig: file };
}
