import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { answerReview } from '@instar/webhook';
import { beforeAll, describe, expect, it } from 'vitest';
import { webhookCommand } from './command.ts';
import type { WebhookFlags } from './flags.ts';
import { hostOptions } from './host-options.ts';

const lens = (crd: string): string => `apiVersion: instar.dev/v1alpha1
kind: Lens
metadata: { name: crontabs }
spec:
  crd: ${crd}
  lenses: [{ from: v1, to: v2, ops: [{ rename: { from: spec.cronSpec, to: spec.schedule } }] }]
`;

const FILES: Record<string, string> = {
  'lens.yaml': lens('crontabs.example.com'),
  'two.yaml': `${lens('widgets.example.com')}---\n${lens('gadgets.example.com')}`,
  'broken.yaml': lens('nodots'),
  'none.yaml': 'kind: ConfigMap\n',
  'functions.mjs': 'export const validate = () => ({ allowed: true });\nexport const mutate = validate;\n',
  'default.mjs': `const same = (object) => object;
export default { group: 'other.com', kind: 'Thing', convert: { 'v1→v2': same, 'v2→v1': same } };\n`,
  'record.mjs': `const same = (object) => object;
const thing = { group: 'other.com', kind: 'Thing', convert: { 'v1→v2': same, 'v2→v1': same } };
export const webhooks = { '/f': () => ({ allowed: true }), '/c': thing, '/cs': [thing], '/w': { review: 'AdmissionReview', answer: () => ({}) } };\n`,
  'wrong.mjs': "export const webhooks = { '/f': 7 };\n",
  'oneway.mjs':
    "export default { group: 'other.com', kind: 'Thing', convert: { 'v1→v2': (object) => object } };\n",
  'empty.mjs': 'export const nothing = 1;\n',
};

const dir = temporaryFolder();
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(dir, name), text);
});

/** As commander parses them; FILE becomes its path. */
async function options(...args: string[]) {
  const command = webhookCommand().commands.find((one) => one.name() === 'serve')!;
  let flags: WebhookFlags | undefined;
  command.exitOverride().configureOutput({ writeErr: () => {} });
  command.action((given: WebhookFlags) => {
    flags = given;
  });
  const inDir = args.map((arg) =>
    Object.hasOwn(FILES, arg) ? join(dir, arg) : arg.replace(/^CronTab=/, `CronTab=${dir}/`),
  );
  await command.parseAsync(inDir, { from: 'user' });
  return hostOptions(flags!);
}

describe('what is served', () => {
  it.each([
    [['--lens', 'lens.yaml'], ['/convert']],
    [['--lens', 'lens.yaml', 'two.yaml', '--convert-path', '/other'], ['/other']],
    [['--lens', 'CronTab=lens.yaml'], ['/convert']],
    [
      ['--module', 'functions.mjs'],
      ['/validate', '/mutate'],
    ],
    [['--module', 'default.mjs', '--lens', 'lens.yaml'], ['/convert']],
    [
      ['--module', 'record.mjs', '--module', 'functions.mjs'],
      ['/f', '/c', '/cs', '/w', '/validate', '/mutate'],
    ],
  ])('follows from the flags %j', async (args, paths) => {
    expect(Object.keys((await options(...args)).webhooks)).toEqual(paths);
  });

  it('converts by lens and by function at one path', async () => {
    const { webhooks } = await options('--lens', 'lens.yaml', '--module', 'default.mjs');
    const metadata = { name: 'a' };
    const objects = [
      { apiVersion: 'example.com/v1', kind: 'CronTab', metadata, spec: { cronSpec: '*' } },
      { apiVersion: 'example.com/v1', kind: 'CronTab', metadata, spec: {} },
    ];
    const request = { uid: 'u', desiredAPIVersion: 'example.com/v2', objects };
    const { body } = await answerReview(webhooks['/convert']!, {
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request,
    });
    expect(body['response']).toMatchObject({
      convertedObjects: [{ spec: { schedule: '*' } }, { spec: {} }],
      result: { status: 'Success' },
    });
  });
});

describe('certificates', () => {
  it('are read from files, or created for hosts, a Service and a directory', async () => {
    expect((await options('--lens', 'lens.yaml', '--cert-file', 'a', '--key-file', 'b')).tls).toEqual({
      certFile: 'a',
      keyFile: 'b',
    });
    const { tls, listen, limits } = await options(
      ...[
        '--lens',
        'lens.yaml',
        '--self-signed',
        '--service',
        'ns/hook',
        '--host',
        'a',
        '--host',
        'b',
        '--cert-dir',
        'd',
      ],
      ...['--port', '0', '--bind-address', '127.0.0.1', '--lame-duck', '2s', '--shutdown-grace', '1m'],
    );
    const selfManaged = {
      hosts: ['a', 'b'],
      inject: [],
      service: { namespace: 'ns', name: 'hook' },
      store: { directory: 'd' },
    };
    expect([tls, listen]).toEqual([{ selfManaged }, { host: '127.0.0.1', port: 0 }]);
    expect(limits).toEqual({
      maxInFlight: 250,
      maxConversionBytes: 8 * 1024 * 1024,
      shutdownMs: 60_000,
      lameDuckMs: 2000,
    });
  });
});

describe('mistakes are reported', () => {
  it.each([
    [[], 'name what to serve, with --lens FILE or --module FILE'],
    [['--lens', '/nowhere.yaml'], '/nowhere.yaml does not exist'],
    [['--lens', 'none.yaml'], 'holds no Lens'],
    [['--lens', 'broken.yaml'], 'spec.crd: Invalid value: "nodots": must be the name of a definition'],
    [['--lens', 'CronTab=two.yaml'], 'contains several lenses: they cannot all be for CronTab'],
    [['--lens', 'lens.yaml', '--lens', 'lens.yaml'], 'there are two conversions for crontabs.example.com'],
    [['--module', '/nowhere.mjs'], '/nowhere.mjs does not exist'],
    [
      ['--module', 'wrong.mjs'],
      'what is to be served at /f is neither a function, nor a conversion, nor a webhook',
    ],
    [['--module', 'oneway.mjs'], 'Thing.other.com: there is no conversion from v2 to v1'],
    [['--module', 'empty.mjs'], 'exports nothing that could be served'],
    [['--module', 'functions.mjs', 'functions.mjs'], 'two modules want to be served at /validate'],
    [['--lens', 'lens.yaml', '--cert-file', 'a'], '--cert-file and --key-file must be given together'],
    [
      ['--lens', 'lens.yaml', '--cert-file', 'a', '--key-file', 'b', '--service', 'a/b'],
      '--cert-file is for certificates that others renew',
    ],
    [
      ['--lens', 'lens.yaml', '--cert-dir', 'a', '--cert-secret', 'b/c'],
      'choose one of --cert-dir and --cert-secret',
    ],
    [['--lens', 'lens.yaml', '--inject', 'pod/x'], 'It must be crd/NAME, validating/NAME or mutating/NAME.'],
    [['--lens', 'lens.yaml', '--service', 'x'], 'It must be of the form NAMESPACE/NAME.'],
  ])('for the flags %j', async (args, message) => {
    await expect(options(...args)).rejects.toThrow(message);
  });
});
