// fabric8's Java client: watches over WebSockets, and an informer across a restart, a cut connection and a
// compaction. Maven builds java/ into the scratch folder; its downloads stay in Maven's own cache.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const GROUP = 'java.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

export default {
  name: 'java',
  needs: ['java', 'mvn'],
  async run(context) {
    const classPath = await build(context);
    const { ApiClient } = await import('../../../packages/testing/dist/api/api-client.js');
    const server = await context.startServer({ storage: 'lmdb' });
    const proxy = await cuttableProxy(server.port);
    const client = new ApiClient(await server.access());
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
    await until('widgets to be served', async () => (await client.send('GET', WIDGETS)).status === 200);
    await client.close();

    const specs = [];
    const steps = {
      restart: () => server.restart(),
      cut: () => proxy.cut(),
      'change-unseen': (version) => changeUnseen(context, server, version),
    };
    const onLine = (line, child) => {
      const [word, ...rest] = line.split(' ');
      if (word === 'SPEC') specs.push(specOf(rest));
      if (word !== 'ASK') return;
      steps[rest[0]](rest[1]).then(
        () => child.stdin.write('done\n'),
        (error) => child.stdin.write(`${error.message.replaceAll('\n', ' ')}\n`),
      );
    };
    try {
      const kubeconfig = await kubeconfigThrough(context, server, proxy.port);
      const { code, stderr } = await context.run('java', ['-cp', classPath, 'example.Watches', kubeconfig], {
        timeoutMs: 180_000,
        onLine,
      });
      if (specs.length === 0) throw new Error(`the program ended with ${code} and no spec:\n${stderr}`);
      return specs;
    } finally {
      await proxy.close();
    }
  },
};

/** Compiles the program and returns its class path. */
async function build(context) {
  const project = join(context.folder, 'java');
  await cp(join(context.root, 'test/outside/java'), project, { recursive: true });
  const file = join(context.folder, 'class-path');
  const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${file}`];
  const { code, stdout } = await context.run('mvn', ['-q', '-B', ...goals], { cwd: project });
  if (code !== 0) throw new Error(`mvn ended with ${code}\n${stdout}`);
  return `${join(project, 'target/classes')}:${(await readFile(file, 'utf8')).trim()}`;
}

function specOf([status, ...words]) {
  const text = words.join(' ');
  const at = status === 'failed' ? text.indexOf(': ') : -1;
  return at < 0 ? { name: text, status } : { name: text.slice(0, at), status, message: text.slice(at + 2) };
}

async function kubeconfigThrough(context, server, port) {
  const file = join(context.folder, 'kubeconfig');
  const text = await readFile(server.kubeconfig, 'utf8');
  await writeFile(file, text.replaceAll(`:${server.port}`, `:${port}`));
  return file;
}

/**
 * Changes objects while the client cannot reach the server, and restarts the server when `version` has been
 * compacted: a server on the same data with a short history, on another port.
 */
async function changeUnseen(context, server, version) {
  const { Run } = await import('../../../packages/testing/dist/command/run.js');
  const { ApiClient } = await import('../../../packages/testing/dist/api/api-client.js');
  const access = await server.access();
  await server.stop();
  const aside = new Run(
    'serve',
    ...['--data-dir', server.dataDir, '--storage', `lmdb:${join(server.dataDir, 'store')}`],
    ...['--port', '0', '--history', '1s', '--kubeconfig', join(context.folder, 'aside')],
  );
  try {
    const { url } = await aside.ready();
    const client = new ApiClient({ ...access, url });
    const spec = { size: 'unseen' };
    const send = async (method, path, body) => {
      const { status, body: answer } = await client.send(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer.message}`);
    };
    await send('DELETE', `${WIDGETS}/removed`);
    await send('PATCH', `${WIDGETS}/kept`, { spec });
    const metadata = { name: 'added' };
    await send('POST', WIDGETS, { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata, spec });
    const exact = `${WIDGETS}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=1`;
    await until(`${version} to be compacted`, async () => (await client.send('GET', exact)).status === 410);
    await client.close();
  } finally {
    await aside.end();
  }
  await server.startAgain();
}

/** A port that forwards to another, and can cut the connections that are open. */
async function cuttableProxy(target) {
  const sockets = new Set();
  const keep = (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const listener = createServer((socket) => {
    const onward = keep(connect(target, '127.0.0.1'));
    keep(socket).pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = async () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: listener.address().port,
    cut,
    close: () =>
      new Promise((resolve) => {
        listener.close(resolve);
        void cut();
      }),
  };
}

async function until(what, condition) {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited for ${what} for 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
