// The real kube-controller-manager and kube-scheduler, in protobuf, on a server without controllers of its
// own, with a node that only says that its pods run: workloads go from their definition to Running.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { kubernetesProgram } from '../../clusters/build.mjs';

const APPS = '/apis/apps/v1/namespaces/team';
const PODS = '/api/v1/namespaces/team/pods';
const NODE = '/api/v1/nodes/fake';
const WAIT_MS = 120_000;
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };

export default {
  name: 'controllers',
  needs: ['go', 'openssl'],
  onlyByName: true,
  async run(context) {
    const programs = await Promise.all(
      ['kube-controller-manager', 'kube-scheduler'].map((name) => kubernetesProgram(name)),
    );
    const { ApiClient } = await import('../../../packages/testing/dist/api/api-client.js');
    const server = await context.startServer({ storage: 'memory', flags: ['--controllers=-*'] });
    const client = new ApiClient(await server.access());
    const key = join(context.folder, 'accounts.key');
    await context.run('openssl', ['genrsa', '-out', key, '2048']);
    const children = startAll(context, server, programs, key);
    const node = new FakeNode(client);
    try {
      await node.start();
      return await specsOf(client);
    } finally {
      node.stop();
      for (const child of children) child.kill();
      await client.close();
    }
  },
};

function startAll(context, { kubeconfig }, [manager, scheduler], key) {
  const common = [
    `--kubeconfig=${kubeconfig}`,
    '--kube-api-content-type=application/vnd.kubernetes.protobuf',
    '--secure-port=0',
    '--leader-elect=true',
  ];
  const accounts = ['--use-service-account-credentials=true', `--service-account-private-key-file=${key}`];
  return [
    [manager, [...common, ...accounts]],
    [scheduler, common],
  ].map(([program, args]) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.pipe(createWriteStream(join(context.folder, `${program.split('/').pop()}.log`)));
    return child;
  });
}

/** Says that it is ready, that its pods run, and that those of jobs have succeeded. */
class FakeNode {
  #client;
  #stopped = false;

  constructor(client) {
    this.#client = client;
  }

  async start() {
    const metadata = { name: 'fake', labels: { 'kubernetes.io/hostname': 'fake' } };
    await sent(this.#client, 'POST', '/api/v1/nodes', { metadata });
    await sent(this.#client, 'POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
      metadata: { name: 'fake' },
      spec: { holderIdentity: 'fake', leaseDurationSeconds: 40, renewTime: microTime() },
    });
    const amounts = { cpu: '64', memory: '64Gi', pods: '200' };
    const now = new Date().toISOString();
    const ready = { type: 'Ready', status: 'True', reason: 'Fake', lastHeartbeatTime: now };
    const status = { capacity: amounts, allocatable: amounts, conditions: [ready] };
    await sent(this.#client, 'PATCH', `${NODE}/status`, { status }, STRATEGIC);
    void this.#run();
  }

  stop() {
    this.#stopped = true;
  }

  async #run() {
    let last = 0;
    for (let ip = 1; !this.#stopped; ) {
      const { items = [] } = (await this.#client.send('GET', '/api/v1/pods')).body;
      for (const pod of items)
        if (pod.spec.nodeName === 'fake') await this.#tend(pod, `10.8.0.${ip++ % 250}`);
      if (Date.now() - last > 10_000) {
        last = Date.now();
        const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/fake';
        await this.#client.send('PATCH', lease, { spec: { renewTime: microTime() } });
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async #tend({ metadata, status }, ip) {
    const url = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
    if (metadata.deletionTimestamp !== undefined)
      await this.#client.send('DELETE', `${url}?gracePeriodSeconds=0`);
    else if (status.phase === 'Pending') {
      const ends = metadata.ownerReferences?.[0]?.kind === 'Job';
      const condition = { type: 'Ready', status: ends ? 'False' : 'True' };
      const next = {
        podIP: ip,
        podIPs: [{ ip }],
        conditions: [condition],
        startTime: new Date().toISOString(),
      };
      const phase = ends ? 'Succeeded' : 'Running';
      await this.#client.send('PATCH', `${url}/status`, { status: { phase, ...next } }, STRATEGIC);
    }
  }
}

const microTime = () => new Date().toISOString().replace('Z', '000Z');

const template = (app, restartPolicy = 'Always', image = 'example.com/a:1') => ({
  metadata: { labels: { app } },
  spec: { restartPolicy, containers: [{ name: 'c', image }] },
});

/** Each builds on those before it. */
async function specsOf(client) {
  const get = async (url) => (await client.send('GET', url)).body;
  const selector = (app) => ({ matchLabels: { app } });
  const running = (count) => async () =>
    (await get(`${APPS}/deployments/web`)).status?.readyReplicas === count;
  const imageOf = async () =>
    (await get(`${PODS}?labelSelector=app%3Dweb`)).items?.map((pod) => pod.spec.containers[0].image);
  const patch = (body, headers) => sent(client, 'PATCH', `${APPS}/deployments/web`, body, headers);
  const image = (name) => ({ spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } } });
  const isOnly = (name) => async () => {
    const images = await imageOf();
    return images.length === 3 && images.every((each) => each === name) && (await running(3)());
  };
  const steps = {
    'a namespace gets its service account': async () => {
      await sent(client, 'POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
      const url = '/api/v1/namespaces/team/serviceaccounts/default';
      await until(async () => (await client.send('GET', url)).status === 200);
    },
    'a Deployment is rolled out to Running': async () => {
      const spec = { replicas: 2, selector: selector('web'), template: template('web') };
      await sent(client, 'POST', `${APPS}/deployments`, { metadata: { name: 'web' }, spec });
      await until(running(2));
    },
    'it is scaled': async () => {
      await sent(client, 'PATCH', `${APPS}/deployments/web/scale`, { spec: { replicas: 3 } });
      await until(running(3));
    },
    'its pods are replaced, and come back': async () => {
      await patch(image('example.com/a:2'), STRATEGIC);
      await until(isOnly('example.com/a:2'));
      await patch(image('example.com/a:1'), STRATEGIC);
      await until(isOnly('example.com/a:1'));
    },
    'a Service gets endpoints': async () => {
      const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
      await sent(client, 'POST', '/api/v1/namespaces/team/services', { metadata: { name: 'web' }, spec });
      const url = '/api/v1/namespaces/team/endpoints/web';
      await until(async () => (await get(url)).subsets?.[0]?.addresses?.length === 3);
    },
    'a StatefulSet has its pods': async () => {
      const spec = { serviceName: 'db', replicas: 2, selector: selector('db'), template: template('db') };
      await sent(client, 'POST', `${APPS}/statefulsets`, { metadata: { name: 'db' }, spec });
      await until(async () => (await get(`${APPS}/statefulsets/db`)).status?.readyReplicas === 2);
    },
    'a Job completes': async () => {
      const jobs = '/apis/batch/v1/namespaces/team/jobs';
      const spec = { completions: 2, template: template('job', 'Never') };
      await sent(client, 'POST', jobs, { metadata: { name: 'job' }, spec });
      await until(async () => (await get(`${jobs}/job`)).status?.succeeded === 2);
    },
    'the namespace is deleted with all of it': async () => {
      await sent(client, 'DELETE', '/api/v1/namespaces/team');
      await until(async () => (await client.send('GET', '/api/v1/namespaces/team')).status === 404);
    },
  };
  const specs = [];
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      specs.push({ name, status: 'passed' });
    } catch (error) {
      specs.push({ name, status: 'failed', message: error.message });
    }
  }
  return specs;
}

async function sent(client, method, url, body, headers) {
  const answer = await client.send(method, url, body, headers);
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function until(condition) {
  const end = Date.now() + WAIT_MS;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > end) throw new Error(`not within ${WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
