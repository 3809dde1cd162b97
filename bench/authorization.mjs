// Authorization: how long one decision takes with 2,000 roles, 5,000 bindings and 1,000 users, how long one
// change of a role or binding takes, and how many GETs per second a server answers with RBAC, beside
// AlwaysAllow in the same run. If KUBE_APISERVER names one (and etcd is on PATH), what a GET and an access
// review cost the built command and it, in processes of their own, in the same run.
// Usage: node bench/authorization.mjs [--quick]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RbacAuthorizer } from '../packages/server/dist/api/auth/rbac/rbac-authorizer.js';
import { RoleIndex } from '../packages/server/dist/api/auth/rbac/role-index.js';
import { startServer } from '../packages/server/dist/index.js';
import { openStore } from '../packages/store/dist/index.js';
import { jsonClient } from './support/json-client.mjs';
import { kubeApiserver } from './support/kube-apiserver.mjs';
import { cpuSeconds, readyServer } from './support/process.mjs';

const quick = process.argv.includes('--quick');
const [ROLES, BINDINGS, USERS, NAMESPACES] = [2000, 5000, 1000, 100];
const DECISIONS = quick ? 100_000 : 1_000_000;
const ROUNDS = quick ? 40 : 120;
// Short rounds that alternate: other load on the machine affects all variants equally.
const GETS = 250;
const IN_FLIGHT = 16;
const MAP = '/api/v1/namespaces/default/configmaps/bench';
const row = (what, value, beside = '') => console.log(`${what.padEnd(52)} ${value.padStart(12)}   ${beside}`);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Half of the roles and of the bindings are of the cluster, the others in namespaces. */
const isCluster = (n) => n % 2 === 0;
const namespaceOf = (n) => (isCluster(n) ? '' : `ns-${n % NAMESPACES}`);
const rulesOf = (n) => [
  {
    verbs: ['get', 'list', 'watch'],
    apiGroups: [`g${n % 50}`],
    resources: [`r${n}`, `r${n + 1}`, `r${n}/status`],
  },
  { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], resourceNames: [`map-${n}`] },
];
function bindingOf(n) {
  const namespace = namespaceOf(n);
  // An odd role is in the namespace of its own number.
  const role = isCluster(n) ? (n % (ROLES / 2)) * 2 : ((n % NAMESPACES) + NAMESPACES * (n % 20)) % ROLES;
  const roleRef = {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: isCluster(n) ? 'ClusterRole' : 'Role',
    name: `role-${role}`,
  };
  const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name: `user-${n % USERS}` }];
  return { metadata: { name: `binding-${n}`, ...(namespace !== '' && { namespace }) }, subjects, roleRef };
}

function decisions() {
  const index = new RoleIndex();
  const filled = process.hrtime.bigint();
  for (let n = 0; n < ROLES; n++) index.setRole(namespaceOf(n), `role-${n}`, rulesOf(n));
  for (let n = 0; n < BINDINGS; n++) index.setBinding(bindingOf(n));
  row(
    'fill the index, per object',
    `${(Number(process.hrtime.bigint() - filled) / 1000 / (ROLES + BINDINGS)).toFixed(2)} µs`,
  );
  const authorizer = new RbacAuthorizer(index);
  const asked = Array.from({ length: 4096 }, (_, n) => {
    const user = { name: `user-${n % USERS}`, uid: '', groups: ['devs', 'system:authenticated'], extra: {} };
    // The role of the first binding of every other user, else any other one.
    const role = n % 4 === 0 ? ((n % USERS) % (ROLES / 2)) * 2 : ((n * 7) % (ROLES / 2)) * 2;
    const namespace = n % 3 === 0 ? '' : `ns-${n % NAMESPACES}`;
    const target = {
      group: `g${role % 50}`,
      version: 'v1',
      resource: `r${role}`,
      subresource: '',
      name: '',
      path: '',
    };
    return { user, verb: 'get', isResourceRequest: true, namespace, ...target };
  });
  let allowed = 0;
  const run = (count) => {
    for (let n = 0; n < count; n++) if (authorizer.authorize(asked[n & 4095]).decision === 'allow') allowed++;
  };
  run(20_000);
  allowed = 0;
  const start = process.hrtime.bigint();
  run(DECISIONS);
  const micros = Number(process.hrtime.bigint() - start) / 1000 / DECISIONS;
  row(
    'one decision',
    `${micros.toFixed(2)} µs`,
    `bound 20 µs; ${((allowed / DECISIONS) * 100).toFixed(0)} % allowed`,
  );
  const changed = process.hrtime.bigint();
  for (let n = 0; n < 1000; n++) {
    index.setRole(namespaceOf(n), `role-${n}`, rulesOf(n));
    index.setBinding(bindingOf(n));
    authorizer.authorize(asked[n]);
  }
  const perChange = Number(process.hrtime.bigint() - changed) / 1000 / 1000;
  row('change a role and a binding, and decide', `${perChange.toFixed(2)} µs`);
}

async function start(modes, tokens) {
  const server = await startServer({
    storage: await openStore('memory:'),
    authorizationModes: modes,
    tokenAuthFile: tokens,
    limits: { maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 },
  });
  const { send, session } = jsonClient(server);
  const close = async () => {
    session.close();
    await server.close();
  };
  return { send, close };
}

async function all(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

async function fill({ send }) {
  const group = '/apis/rbac.authorization.k8s.io/v1';
  const url = (namespace, plural) =>
    `${group}/${namespace === '' ? 'cluster' : `namespaces/${namespace}/`}${plural}`;
  await all(NAMESPACES, (n) => send('POST', '/api/v1/namespaces', { metadata: { name: `ns-${n}` } }));
  await all(ROLES, (n) =>
    send('POST', url(namespaceOf(n), 'roles'), { metadata: { name: `role-${n}` }, rules: rulesOf(n) }),
  );
  await all(BINDINGS, (n) => send('POST', url(namespaceOf(n), 'rolebindings'), bindingOf(n)));
}

async function requests() {
  const tokens = join(tmpdir(), `instar-bench-${process.pid}.csv`);
  writeFileSync(tokens, 'bench-token,user-1,1,devs\n', { mode: 0o600 });
  const variants = [
    { name: 'AlwaysAllow', ...(await start(['AlwaysAllow'], tokens)), rates: [], cpu: [] },
    { name: 'RBAC', ...(await start(['RBAC'], tokens)), rates: [], cpu: [] },
    { name: 'AlwaysAllow again', ...(await start(['AlwaysAllow'], tokens)), rates: [], cpu: [] },
  ];
  for (const variant of variants) {
    await fill(variant);
    await variant.send('POST', MAP.replace('/bench', ''), { metadata: { name: 'bench' }, data: { a: 'b' } });
    await variant.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', READS);
  }
  const get = ({ send }) => all(GETS, () => send('GET', MAP, undefined, 'bench-token'));
  for (const variant of variants) await get(variant);
  for (let round = 0; round < ROUNDS; round++)
    // Each is first, second and third equally often.
    for (let turn = 0; turn < variants.length; turn++) {
      const variant = variants[(round + turn) % variants.length];
      const begun = performance.now();
      const before = process.cpuUsage();
      await get(variant);
      variant.rates.push((GETS / (performance.now() - begun)) * 1000);
      const { user, system } = process.cpuUsage(before);
      variant.cpu.push((user + system) / GETS);
    }
  for (const { name, rates, cpu } of variants)
    row(
      `GETs per second, ${name}`,
      median(rates).toFixed(0),
      `${median(cpu).toFixed(0)} µs of processor time each`,
    );
  const [allow, rbac, again] = variants.map(({ cpu }) => median(cpu));
  row('AlwaysAllow / RBAC, by processor time', ((allow + again) / 2 / rbac).toFixed(3), 'bound 0.95');
  row(
    'AlwaysAllow / AlwaysAllow again',
    (allow / again).toFixed(3),
    'what the machine makes of equal servers',
  );
  for (const { close } of variants) await close();
}

const READS = {
  metadata: { name: 'reads' },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'user-1' }],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
};
const REVIEW = {
  spec: {
    user: 'user-1',
    resourceAttributes: { group: 'g1', resource: 'r1', verb: 'get', namespace: 'ns-1' },
  },
};

/** Both with RBAC, both in processes of their own; theirs keeps its data in an etcd that is not counted. */
async function beside(program) {
  const tokens = 'admin,admin,a,system:masters\nbench-token,user-1,1,devs\n';
  const folder = mkdtempSync(join(tmpdir(), 'instar-bench-own-'));
  const tokenFile = join(folder, 'tokens.csv');
  writeFileSync(tokenFile, tokens, { mode: 0o600 });
  const isReady = async (url) => {
    const { send, session } = jsonClient({ url, adminToken: 'admin' });
    const isUp = await Promise.race([
      send('GET', '/readyz').then(() => true),
      new Promise((resolve) => session.once('close', () => resolve(false))),
    ]).catch(() => false);
    session.destroy();
    return isUp;
  };
  const root = fileURLToPath(new URL('..', import.meta.url));
  const servers = [
    ['instar', await readyServer(root, folder, ['--storage', 'memory:', '--token-auth-file', tokenFile])],
    ['kube-apiserver', await kubeApiserver(program, tokens, ['--authorization-mode=RBAC'], isReady)],
  ];
  const variants = [];
  for (const [name, { url, pid, stop }] of servers) {
    const { send, session } = jsonClient({ url, adminToken: 'admin' });
    await fill({ send });
    await send('POST', MAP.replace('/bench', ''), { metadata: { name: 'bench' }, data: { a: 'b' } });
    await send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', READS);
    // kube-apiserver decides by what its informers have seen.
    while (
      !(await send('GET', MAP, undefined, 'bench-token').then(
        () => true,
        () => false,
      ))
    )
      await new Promise((resolve) => setTimeout(resolve, 200));
    variants.push({ name, pid, send, session, stop, get: [], review: [] });
  }
  const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const work = {
    get: ({ send }) => all(GETS, () => send('GET', MAP, undefined, 'bench-token')),
    review: ({ send }) => all(GETS, () => send('POST', reviews, REVIEW)),
  };
  for (let round = -1; round < ROUNDS / 4; round++)
    for (const variant of round % 2 === 0 ? variants : [...variants].reverse())
      for (const kind of ['get', 'review']) {
        const before = cpuSeconds(variant.pid);
        // The kernel counts hundredths of a second.
        for (let again = 0; again < 4; again++) await work[kind](variant);
        const used = ((cpuSeconds(variant.pid) - before) * 1e6) / (4 * GETS);
        if (round >= 0) variant[kind].push(used);
      }
  const [own, kube] = variants;
  for (const [kind, what] of Object.entries({ get: 'GET', review: 'SubjectAccessReview' })) {
    const [ours, theirs] = [median(own[kind]), median(kube[kind])];
    row(
      `processor time of a ${what}`,
      `${ours.toFixed(0)} µs`,
      `kube-apiserver ${theirs.toFixed(0)} µs; ratio ${(theirs / ours).toFixed(2)}`,
    );
  }
  for (const { session, stop } of variants) {
    session.destroy();
    await stop();
  }
  rmSync(folder, { recursive: true, force: true });
}

decisions();
await requests();
if (process.env['KUBE_APISERVER']) await beside(process.env['KUBE_APISERVER']);
process.exit(0);
