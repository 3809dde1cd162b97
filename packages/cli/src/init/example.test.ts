// What a new project deploys is accepted by an API server.
import {
  applyCrdDefaults,
  type CustomResourceDefinition,
  prepareCrdForCreate,
  validateCrdCreate,
} from '@instar/crd';
import { applyMergePatch, type JsonObject, parseYaml, parseYamlDocuments } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { projectFiles } from './files/index.ts';
import { makeProject } from './make-project.ts';
import { nextVersion } from './next-version.ts';

const filesOf = async (style: 'lens' | 'functions'): Promise<Map<string, string>> => {
  const { project } = await makeProject({ style, crd: undefined, group: 'example.com', kind: 'Policy' }, {});
  return new Map(projectFiles(project).map(({ path, text }) => [path, text]));
};

function faultsOf(definition: JsonObject): unknown[] {
  const crd = definition as unknown as CustomResourceDefinition;
  prepareCrdForCreate(crd);
  applyCrdDefaults(crd);
  return validateCrdCreate(crd);
}

describe.each(['lens', 'functions'] as const)('a project with %s', (style) => {
  it('has a definition that is valid, with its patch as well', async () => {
    const files = await filesOf(style);
    const crd = parseYaml(files.get('crd.yaml')!).value as JsonObject;
    expect(crd).toMatchObject({ metadata: { name: 'policies.example.com' } });
    const patched = applyMergePatch(crd, parseYaml(files.get('deploy/crd-conversion.yaml')!).value);
    expect([faultsOf(crd), faultsOf(patched)]).toEqual([[], []]);
  });

  it('has consistent manifests', async () => {
    const files = await filesOf(style);
    const kinds = parseYamlDocuments(files.get('deploy/webhook.yaml')!).map(
      ({ value }) => (value as { kind: string }).kind,
    );
    expect(kinds).toEqual([
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'ClusterRole',
      'ClusterRoleBinding',
      'Deployment',
      'Service',
    ]);
    const source = style === 'lens' ? 'lens.yaml' : 'conversion.mjs';
    expect(files.get('Dockerfile')).toContain(`COPY ${source} ./`);
    expect([...files.keys()]).toContain(source);
  });
});

it.each([
  ['v1alpha1', 'v1beta1'],
  ['v1beta2', 'v1'],
  ['v1', 'v2'],
  ['v10', 'v11'],
  ['odd', 'v1'],
])('after %s comes %s', (name, next) => {
  expect(nextVersion(name)).toBe(next);
});
