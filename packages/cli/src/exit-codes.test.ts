// 1 is for findings; whatever keeps a command from working is 2, with the file or flag at fault.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './testing/run-command.ts';

const CLOSED = 'https://127.0.0.1:1';
const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const definition = (field: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
${['v1', 'v2']
  .map(
    (name) => `  - name: ${name}
    served: true
    storage: ${name === 'v2'}
    schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { ${field}: { type: boolean } } } } } }`,
  )
  .join('\n')}
`;

const FILES = {
  'a.yaml': definition('a'),
  'b.yaml': definition('b'),
  'empty.yaml': '',
  'words.txt': 'no definition, just words\n',
  'garbage.yaml': 'a: [1, 2\nb: }{',
  'malformed.yaml':
    'kind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\nspec: { versions: { v1: {} } }\n',
  'kubeconfig.yaml': `
clusters: [{ name: c, cluster: { server: "${CLOSED}" } }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
users: [{ name: u, user: { token: x } }]
current-context: c
`,
  'lens.yaml': `
apiVersion: instar.dev/v1alpha1
kind: Lens
metadata: { name: widgets }
spec: { crd: widgets.example.com, lenses: [{ from: v1, to: v2, ops: [{ rename: { from: spec.a, to: spec.b } }] }] }
`,
  'exceptions.yaml': `
exceptions:
- { rule: no-bool, path: spec.a, reason: it is a switch }
- { rule: field-removed, reason: it was never released }
- { rule: no-bool, path: spec.gone, reason: it was }
`,
};

beforeAll(() => {
  mkdirSync(at('folder'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
});

/** Words that are the name of a file become its path. */
const paths = (words: string): string[] =>
  words
    .split(' ')
    .map((word) => (Object.hasOwn(FILES, word) || /^(folder|missing|words)/.test(word) ? at(word) : word));

describe('the exit code', () => {
  it.each([
    ['is 1 for a breaking change', 'check a.yaml b.yaml', 1],
    ['is 0 for no change', 'check a.yaml a.yaml', 0],
    ['is 1 for a finding at the level to fail on', 'lint a.yaml --fail-on warning', 1],
  ])('%s', async (_, command, expected) => {
    expect((await runCommand(...paths(command))).code).toBe(expected);
  });

  it('is 1 for objects that could not be converted', async () => {
    const { code, stderr } = await runCommand(
      ...paths('convert -f exceptions.yaml --to v2 --lens lens.yaml'),
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: \{"exceptions".* has no apiVersion and kind\n$/),
    ]);
  });

  it.each([
    [
      'check a.yaml b.yaml --nonsense',
      /unknown option '--nonsense'\n\(instar check --help lists every flag\)/,
    ],
    ['check a.yaml', /missing required argument 'new'/],
    ['chek a.yaml b.yaml', /unknown command 'chek'\n\(Did you mean check\?\)/],
    ['lens check', /missing required argument 'file'/],
    ['check missing.yaml b.yaml', /missing\.yaml does not exist/],
    ['check garbage.yaml b.yaml', /garbage\.yaml: yaml: line 1/],
    [
      'check empty.yaml words.txt',
      /nothing to check: \S+empty\.yaml and \S+words\.txt hold no CustomResourceDefinition/,
    ],
    ['check folder folder', /nothing to check: \S+folder holds no CustomResourceDefinition/],
    [
      'check a.yaml b.yaml --crd others.example.com',
      /nothing to check: neither \S+ nor \S+ has a definition others\.example\.com/,
    ],
    ['check a.yaml b.yaml --exceptions folder', /folder is a directory/],
    ['check a.yaml b.yaml --lens folder', /folder is a directory/],
    ['check a.yaml b.yaml --lens garbage.yaml', /garbage\.yaml: yaml: line 1/],
    ['check a.yaml b.yaml --objects garbage.yaml', /garbage\.yaml: yaml: line 1/],
    ['check a.yaml b.yaml -o missing/x', /--output: \S+x cannot be written: its folder does not exist/],
    ['check a.yaml b.yaml --write-baseline folder', /--write-baseline: \S+folder is a directory/],
    ['check kube: b.yaml --kubeconfig kubeconfig.yaml', /cannot connect to https:\/\/127\.0\.0\.1:1/],
    ['check kube: b.yaml --kubeconfig missing.yaml', /the kubeconfig \S+missing\.yaml does not exist/],
    [
      `check a.yaml b.yaml --webhook ${CLOSED}/convert`,
      /the webhook https:\/\/127\.0\.0\.1:1\/convert is unreachable/,
    ],
    ['check a.yaml b.yaml --webhook nonsense', /nonsense is not an http or https URL/],
    [
      `check a.yaml b.yaml --webhook ${CLOSED} --ca-file words.txt`,
      /words\.txt contains no certificate: --ca-file/,
    ],
    ['lint empty.yaml', /nothing to check: no CustomResourceDefinition in \S+empty\.yaml/],
    ['lint kube: --kubeconfig kubeconfig.yaml', /cannot connect/],
    ['test --crd a.yaml --nonsense', /unknown option '--nonsense'/],
    [`test --crd a.yaml --url ${CLOSED}/convert`, /the webhook \S+ is unreachable/],
    ['test --crd a.yaml --module missing.mjs', /missing\.mjs does not exist/],
    ['check-webhook --nonsense', /unknown option '--nonsense'/],
    ['check-webhook --cert-secret a/b --port 0 --kubeconfig kubeconfig.yaml', /cannot connect/],
    [
      'check-webhook --cert-file words.txt --key-file words.txt --port 0',
      /words\.txt contains no certificate/,
    ],
    [
      'snapshot-webhook --tls-cert-file folder --tls-private-key-file folder --port 0',
      /folder is a directory/,
    ],
    ['convert -f empty.yaml --to v2 --lens lens.yaml', /empty\.yaml contains no objects/],
    ['convert -f words.txt --to v2 --lens lens.yaml', /words\.txt contains no objects/],
    ['convert -f garbage.yaml --to v2 --lens lens.yaml', /garbage\.yaml: yaml: line 1/],
    [
      'test --crd malformed.yaml --lens lens.yaml',
      /malformed\.yaml: widgets\.example\.com is malformed: spec\.group/,
    ],
    ['lens suggest malformed.yaml', /is malformed: spec\.group/],
    ['stored widgets --kubeconfig kubeconfig.yaml', /cannot connect/],
    ['init words.txt/x --yes', /words\.txt\/x: something on this path is not a directory/],
  ])('is 2 for: instar %s', async (words, message) => {
    const { code, stderr } = await runCommand(...paths(words));
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at |ENOENT|EISDIR/);
    expect(code).toBe(2);
  });
});

describe('instar --version', () => {
  it.each(['--version', '-v', '-V'])('%s prints what instar version prints', async (flag) => {
    expect(await runCommand(flag)).toEqual(await runCommand('version'));
  });
});

describe('instar lint', () => {
  it('reports what it could not read of a definition as an error', async () => {
    const { code, stdout } = await runCommand(...paths('lint malformed.yaml --no-color'));
    expect(stdout).toContain('error   spec.versions: has the wrong type, and was ignored [malformed]');
    expect(code).toBe(1);
  });
});

describe('the exceptions of instar lint', () => {
  it('can be in the same file as those of check', async () => {
    const lint = 'lint a.yaml --fail-on warning --disable conditions-missing,status-subresource-missing';
    expect(await runCommand(...paths(lint))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('[no-bool]'),
    });
    const { code, stdout, stderr } = await runCommand(...paths(`${lint} --exceptions exceptions.yaml`));
    expect(stdout).not.toContain('[no-bool]');
    expect(stdout).toMatch(/, 2 excused\n$/);
    expect(stderr).toContain('exception no longer matches anything: no-bool at spec.gone');
    expect(code).toBe(0);
    const checked = await runCommand(...paths('check a.yaml b.yaml --exceptions exceptions.yaml'));
    expect(checked.stdout).not.toContain('no-bool');
  });
});
