// The lenses of examples/: they load, the analysis finds no errors, their samples agree, and the laws hold
// for generated objects. `instar test` does the last with more objects. The definitions of other projects lie
// outside the repository: INSTAR_SHARED says where, or ../shared beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asJson, type JsonObject, type JsonValue, type KubeObject, parseYaml } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import { describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze/analyze.ts';
import type { CompiledLensSet } from './compiled-lens-set.ts';
import { parseLens } from './parse/parse-lens.ts';
import { type ProofVersion, prove } from './proof/index.ts';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const examples = join(repository, 'examples');

const yamlOf = (text: string): JsonObject => parseYaml(text).value as JsonObject;
const readExample = (...path: string[]): JsonObject => yamlOf(readFileSync(join(examples, ...path), 'utf8'));

function lensOf(folder: string): CompiledLensSet {
  const { lens, errors } = parseLens(readExample(folder, 'lens.yaml'));
  expect(errors).toBeUndefined();
  return lens!;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string };
    readonly versions: {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
    }[];
  };
}

/** Of those versions that the lens has. */
function versionsOf(definition: JsonObject, lens: CompiledLensSet): ProofVersion[] {
  const { spec } = withoutNulls(definition) as unknown as Definition;
  return spec.versions
    .filter(({ name }) => lens.versions.includes(name))
    .map(({ name, schema }) => ({
      name,
      apiVersion: `${spec.group}/${name}`,
      kind: spec.names.kind,
      schema: compileSchema(schema.openAPIV3Schema),
      namespaced: spec.scope !== 'Cluster',
    }));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

async function expectProved(lens: CompiledLensSet, versions: ProofVersion[], runs: number): Promise<void> {
  const schemas = new Map(versions.map(({ name, schema }) => [name, schema.source]));
  expect(analyze(lens, schemas).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const convert = (objects: readonly KubeObject[], to: string) => ({
    objects: objects.map((object) => asJson(lens.convert(object, to))),
  });
  const report = await prove(convert, versions, { runs });
  expect(report.failures).toEqual([]);
}

describe.each(['crontab', 'gateway-backendtlspolicy', 'widget'])('examples/%s', (folder) => {
  const lens = lensOf(folder);

  it('has samples that agree, in every direction', () => {
    const samples = readdirSync(join(examples, folder, 'samples')).map((file) =>
      readExample(folder, 'samples', file),
    );
    expect(samples.length).toBe(2);
    for (const from of samples)
      for (const to of samples)
        expect(lens.convert(from as unknown as KubeObject, to['apiVersion'] as string)).toEqual(to);
  });

  it('satisfies the laws', async () => {
    await expectProved(lens, versionsOf(readExample(folder, 'crd.yaml'), lens), 100);
  });
});

const REAL: Record<string, string> = {
  'lenses/tekton-task': 'tektoncd__pipeline/tasks.tekton.dev.yaml',
  'lenses/tekton-taskrun': 'tektoncd__pipeline/taskruns.tekton.dev.yaml',
  'lenses/tekton-resolutionrequest': 'tektoncd__pipeline/resolutionrequests.resolution.tekton.dev.yaml',
  'lenses/external-secrets': 'external-secrets__external-secrets/externalsecrets.external-secrets.io.yaml',
  'lenses/cilium-bgp': 'cilium__cilium/ciliumbgpclusterconfigs.cilium.io.yaml',
  'lenses/linkerd-server': 'linkerd__linkerd2/servers.policy.linkerd.io.yaml',
};

describeUnless(missingCorpus(), 'for the definition that its project publishes', () => {
  it.each(Object.entries(REAL))('the lens of examples/%s satisfies the laws', async (folder, file) => {
    const lens = lensOf(folder);
    await expectProved(lens, versionsOf(yamlOf(readCorpus(join('crds', file))), lens), 25);
  });
});
