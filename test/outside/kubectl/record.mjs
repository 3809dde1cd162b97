// Plays the steps against a real kube-apiserver, and keeps what they came to: `node
// test/outside/kubectl/record.mjs KUBECONFIG`. Beside it runs kube-controller-manager with
// --controllers=namespace-controller,garbage-collector-controller,serviceaccount-controller.
import { writeFileSync } from 'node:fs';
import { play } from './play.mjs';

const [kubeconfig] = process.argv.slice(2);
if (kubeconfig === undefined) throw new Error('usage: record.mjs KUBECONFIG');
const results = await play(kubeconfig);
const table = Object.fromEntries(results.map(({ name, code, said }) => [name, { code, said }]));
writeFileSync(new URL('recorded.json', import.meta.url), `${JSON.stringify(table, null, 1)}\n`);
console.log(`${results.length} steps`);
