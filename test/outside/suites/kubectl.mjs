// kubectl, command by command: the exit codes and what it says, compared with a real kube-apiserver
// (kubectl/record.mjs).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { play } from '../kubectl/play.mjs';

export default {
  name: 'kubectl',
  needs: ['kubectl', 'openssl'],
  async run(context) {
    const recorded = JSON.parse(
      readFileSync(join(context.root, 'test/outside/kubectl/recorded.json'), 'utf8'),
    );
    const server = await context.startServer({ storage: 'memory' });
    const played = await play(server.kubeconfig);
    const specs = played.map(({ name, code, said }) => compared(name, recorded[name], { code, said }));
    const names = new Set(played.map(({ name }) => name));
    const missing = Object.keys(recorded).filter((name) => !names.has(name));
    return [...specs, ...missing.map((name) => ({ name, status: 'failed', message: 'was not played' }))];
  },
};

function compared(name, there, here) {
  if (there === undefined) return { name, status: 'failed', message: 'was not recorded' };
  if (there.code !== here.code)
    return {
      name,
      status: 'failed',
      message: `ended with ${here.code}, not ${there.code}: ${here.said.join(' / ')}`,
    };
  const at = here.said.findIndex((line, index) => line !== there.said[index]);
  if (at < 0 && here.said.length === there.said.length) return { name, status: 'passed' };
  const line = at < 0 ? here.said.length : at;
  return { name, status: 'failed', message: `said ${show(here.said[line])}, not ${show(there.said[line])}` };
}

const show = (line) => JSON.stringify(line ?? null);
