// Plays the steps against the server of a kubeconfig, and returns what each came to: the exit code, and what
// was said, without what differs from run to run.
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifests, steps } from './steps.mjs';

const STEP_MS = 120_000;

export async function play(kubeconfig) {
  const folder = await mkdtemp(join(tmpdir(), 'instar-kubectl-'));
  // A step selects a namespace, which kubectl writes into the file.
  const own = join(folder, 'kubeconfig');
  await copyFile(kubeconfig, own);
  const results = [];
  const request = await signingRequest(folder);
  try {
    for (const [index, line] of steps.entries()) {
      const [command, manifest] = line.split(' < ');
      const input = manifest === undefined ? undefined : manifests[manifest].replace('REQUEST', request);
      const args = command
        .split(' ')
        .map((word) => (word.startsWith('--schedule') ? word.replaceAll('_', ' ') : word));
      const { code, stdout, stderr } = await kubectl(own, folder, args, input);
      const name =
        steps.indexOf(line) === index
          ? line
          : `${line} (${steps.slice(0, index + 1).filter((each) => each === line).length})`;
      results.push({ name, code, said: normalized(code === 0 ? stdout : `${stdout}${stderr}`) });
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function kubectl(kubeconfig, home, args, input) {
  return run('kubectl', args, { KUBECONFIG: kubeconfig, HOME: home, KUBECTL_KUBERC: 'false' }, input);
}

async function signingRequest(folder) {
  const file = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=outside'];
  const { code, stdout, stderr } = await run('openssl', [
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    file,
    ...subject,
  ]);
  if (code !== 0) throw new Error(`openssl ended with ${code}: ${stderr}`);
  return Buffer.from(stdout.slice(stdout.indexOf('-----BEGIN'))).toString('base64');
}

function run(program, args, env = {}, input = '') {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, timeout: STEP_MS });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** Each line by itself, so that one which names the server or the time can be recognized. */
function normalized(text) {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('Warning:'))
    .map((line) =>
      withoutColors(line)
        .replace(/https:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, 'SERVER')
        .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID')
        .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z|\.\d+ \+\d{4})/g, 'TIME')
        .replace(/^Context ".*" modified/, 'Context modified')
        .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
        .replace(/ \d+(s|ms|m)\b/g, ' AGE')
        .replace(/(resourceVersion|"resourceVersion"): ?"\d+"/g, '$1: VERSION')
        .replace(/\/tmp\/(LIVE|MERGED)-\d+\/?/g, '/tmp/$1/')
        .replace(/ +/g, ' '),
    );
}

const withoutColors = (line) =>
  line
    .split('\u001b')
    .map((part, index) => (index === 0 ? part : part.replace(/^\[[0-9;]*m/, '')))
    .join('');
