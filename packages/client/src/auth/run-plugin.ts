// Runs a credential plugin once and returns its output, with bounds on time and bytes.
import { spawn } from 'node:child_process';
import type { ExecAccess } from '../kubeconfig/cluster-access.ts';

/** A credential plugin of a kubeconfig that failed. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

const TIMEOUT_MS = 60_000;
/** Some plugins open a browser and wait for the user. */
const INTERACTIVE_TIMEOUT_MS = 600_000;
const MAX_BYTES = 1 << 20;
/** How much of the stderr of a failed plugin is in the error. */
const MAX_STDERR_CHARS = 2000;

export function runPlugin(exec: ExecAccess, timeoutMs?: number): Promise<string> {
  const interactive = exec.interactiveMode !== 'Never' && process.stdin.isTTY === true;
  if (exec.interactiveMode === 'Always' && !interactive)
    return Promise.reject(
      new PluginError(`the credential plugin ${exec.command} requires a terminal, but there is none`),
    );
  return collect(exec, interactive, timeoutMs ?? (interactive ? INTERACTIVE_TIMEOUT_MS : TIMEOUT_MS));
}

function collect(exec: ExecAccess, interactive: boolean, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, exec.args, {
      env: { ...process.env, ...exec.env, KUBERNETES_EXEC_INFO: execInfo(exec, interactive) },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
    });
    const end = (error?: PluginError): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.kill('SIGKILL');
      if (error === undefined) resolve(stdout);
      else reject(error);
    };
    const timer = setTimeout(
      () => end(new PluginError(`the credential plugin ${exec.command} did not end in ${timeoutMs} ms`)),
      timeoutMs,
    );
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk;
      if (stdout.length > MAX_BYTES)
        end(new PluginError(`the credential plugin ${exec.command} printed more than ${MAX_BYTES} bytes`));
    });
    child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS)));
    child.once('error', (error) => end(new PluginError(notStarted(exec, error))));
    child.once('close', (code, signal) =>
      end(code === 0 ? undefined : new PluginError(failed(exec, code ?? signal, stderr))),
    );
  });
}

function execInfo({ apiVersion, cluster }: ExecAccess, interactive: boolean): string {
  return JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive, ...(cluster !== undefined && { cluster }) },
  });
}

function notStarted({ command, installHint }: ExecAccess, error: NodeJS.ErrnoException): string {
  const why = error.code === 'ENOENT' ? 'it is not installed' : error.message;
  return `the credential plugin ${command} cannot be started: ${why}${installHint === '' ? '' : `\n${installHint}`}`;
}

function failed({ command }: ExecAccess, how: number | string | null, stderr: string): string {
  return `the credential plugin ${command} ended with ${how}${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}`;
}
