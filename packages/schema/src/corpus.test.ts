// Real CRDs and objects, with the answers of kube-apiserver v1.36: wherever the schema decides, our result
// must be the same. The corpus is outside the repository: in INSTAR_SHARED, or ../shared beside it.
import {
  applyJsonPatch,
  deepCopy,
  type FieldError,
  FieldPath,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
  parseYaml,
  statusCauses,
} from '@instar/machinery';
import { describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import { checkDefaults } from './default/check.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { checkRules } from './rules/check.ts';
import type { CompiledSchema } from './schema.ts';
import { structuralViolations } from './structural/violations.ts';

const json = <T>(file: string): T => JSON.parse(readCorpus(file)) as T;

interface Crd {
  spec: { group: string; preserveUnknownFields?: boolean; versions: CrdVersion[] };
}
interface CrdVersion {
  name: string;
  schema?: { openAPIV3Schema: JSONSchemaProps };
  subresources?: { status?: object };
}
type Cause = [field: string, reason: string];
interface Answer {
  code: number;
  causes?: Cause[];
}
interface ObjectVerdict {
  file: string;
  crd: string;
  strict: Answer;
  create: Answer;
  returned?: string;
}
interface SuiteCase {
  id: string;
  kind: 'create' | 'update';
  initial: JsonObject;
  updated: JsonObject;
  crdPatches?: JsonPatchOperation[];
}
interface Suite {
  version: string;
  crd: { file: string };
  cases: SuiteCase[];
}
interface SuiteVerdict {
  suite: string;
  cases: string;
  results: { id: string; got: Answer & { step: string } }[];
}

/** As Go's decoder leaves it: nulls are unset. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'default' ? member : withoutNulls(member)]),
  );
}

const crds = new Map<string, Crd>();
function crdOf(file: string): Crd {
  let crd = crds.get(file);
  if (crd === undefined)
    crds.set(file, (crd = withoutNulls(parseYaml(readCorpus(file)).value) as unknown as Crd));
  return crd;
}

const schemas = new Map<CrdVersion, CompiledSchema>();
function schemaOf(version: CrdVersion): CompiledSchema {
  let schema = schemas.get(version);
  if (schema === undefined) schemas.set(version, (schema = compileSchema(version.schema!.openAPIV3Schema)));
  return schema;
}

/** Validates an object as the server does on a write, and returns the errors. */
function write(
  crd: Crd,
  version: CrdVersion,
  object: JsonObject,
  old?: JsonObject,
  sub?: 'status',
): FieldError[] {
  const schema = schemaOf(version);
  if (crd.spec.preserveUnknownFields !== true) schema.prune(object);
  schema.applyDefaults(object);
  if (version.subresources?.status !== undefined && sub === undefined) {
    if (old !== undefined && Object.hasOwn(old, 'status')) object['status'] = old['status']!;
    else delete object['status'];
  }
  const errors = schema.validate(object, old === undefined ? {} : { old, statusOnly: sub === 'status' });
  schema.applyDefaults(object);
  return errors;
}

const causesOf = (errors: FieldError[]): string =>
  [...new Set(statusCauses(errors).map(({ field, reason }) => `${field} ${reason}`))].sort().join('\n');
const causesIn = ({ causes = [] }: Answer): string =>
  [...new Set(causes.map((cause) => cause.join(' ')))].sort().join('\n');
/** Names, owners and versions of objects are checked elsewhere. */
const isAboutMetadata = ({ causes = [] }: Answer): boolean =>
  causes.some(([field]) => field.startsWith('metadata'));

describeUnless(missingCorpus(), 'the corpus', { timeout: 120_000 }, () => {
  it('finds no errors in the schemas of CRDs that kube-apiserver accepts', () => {
    const verdicts = json<(Answer & { file: string })[]>('verdicts/crds.json');
    let count = 0;
    for (const { file, code } of verdicts) {
      if (code !== 201) continue;
      for (const version of crdOf(file).spec.versions) {
        const { openAPIV3Schema } = version.schema!;
        const path = FieldPath.of('schema');
        const errors = [
          ...structuralViolations(openAPIV3Schema, path),
          ...checkDefaults(openAPIV3Schema, path),
          ...checkRules(openAPIV3Schema, path),
        ];
        expect([file, version.name, errors]).toEqual([file, version.name, []]);
        schemaOf(version);
        count++;
      }
    }
    console.info(`schema corpus: ${count} schemas compiled`);
  });

  it('accepts, refuses and normalizes objects as kube-apiserver does', () => {
    const disagreements: string[] = [];
    let [verdicts, results] = [0, 0];
    for (const { file, crd: crdFile, strict, create, returned } of json<ObjectVerdict[]>(
      'verdicts/objects.json',
    )) {
      if ((create.code !== 201 && create.code !== 422) || isAboutMetadata(create)) continue;
      const crd = crdOf(crdFile);
      const object = parseYaml(readCorpus(file)).value as JsonObject;
      const version = crd.spec.versions.find(
        ({ name }) => object['apiVersion'] === `${crd.spec.group}/${name}`,
      );
      if (version === undefined) continue;
      const unknown = (strict.causes ?? []).filter(
        ([field, reason]) => reason === 'unknown field' && !field.startsWith('metadata'),
      );
      const removed = schemaOf(version).prune(deepCopy(object));
      if (
        unknown
          .map(([field]) => field)
          .sort()
          .join() !== removed.sort().join()
      )
        disagreements.push(`${file}: unknown fields`);
      if (causesOf(write(crd, version, object)) !== causesIn(create)) disagreements.push(`${file}: causes`);
      verdicts++;
      if (returned === undefined) continue;
      const [mine, theirs] = [
        { ...object, metadata: 0 },
        { ...json<JsonObject>(`verdicts/${returned}`), metadata: 0 },
      ];
      results++;
      expect([file, mine]).toEqual([file, theirs]);
    }
    console.info(
      `schema corpus: ${verdicts - disagreements.length} of ${verdicts} objects as kube-apiserver, ${results} results compared`,
    );
    expect(disagreements).toEqual([]);
  });

  it('gives the results of kube-apiserver for the suites of create and update, with ratcheting', () => {
    const disagreements: string[] = [];
    let count = 0;
    for (const { cases: file, results } of json<SuiteVerdict[]>('verdicts/suites.json')) {
      const suite = json<Suite>(file);
      const crd = crdOf(suite.crd.file);
      for (const one of suite.cases) {
        const { got } = results.find(({ id }) => id === one.id)!;
        if (isAboutMetadata(got)) continue;
        const [step, errors] = play(one, crd, suite.version);
        count++;
        if (`${step}\n${causesOf(errors)}` === `${got.step}\n${causesIn(got)}`) continue;
        disagreements.push(
          `${file} ${one.id}: ${step} ${causesOf(errors)}, not ${got.step} ${causesIn(got)}`,
        );
      }
    }
    console.info(`schema corpus: ${count - disagreements.length} of ${count} suite cases as kube-apiserver`);
    expect(disagreements).toEqual([]);
  });
});

const withMetadata = (object: JsonObject): JsonObject => ({ metadata: {}, ...deepCopy(object) });

/** The step at which a case ends, and its errors. The steps are those of the recording. */
function play(
  { kind, initial, updated, crdPatches }: SuiteCase,
  crd: Crd,
  versionName: string,
): [string, FieldError[]] {
  const versionOf = (one: Crd): CrdVersion => one.spec.versions.find(({ name }) => name === versionName)!;
  const loose = (crdPatches === undefined
    ? crd
    : applyJsonPatch(crd as unknown as JsonValue, crdPatches)) as unknown as Crd;
  let current = withMetadata(initial);
  let errors = write(loose, versionOf(loose), current);
  if (errors.length > 0) return [kind === 'create' ? 'create' : 'initial', errors];
  if (kind === 'create') return ['done', []];
  const steps: [string, JsonObject, Crd, 'status' | undefined][] = [];
  if (initial['status'] !== undefined) steps.push(['initial status', initial, loose, 'status']);
  steps.push(['update', updated, crd, undefined]);
  if (updated['status'] !== undefined) steps.push(['update status', updated, crd, 'status']);
  for (const [step, next, definition, sub] of steps) {
    const object =
      sub === 'status'
        ? { ...deepCopy(current), status: deepCopy(next['status']!) }
        : { ...withMetadata(next), metadata: current['metadata']! };
    const version = versionOf(definition);
    if (sub === 'status' && version.subresources?.status === undefined) continue;
    const old = deepCopy(current);
    schemaOf(version).prune(old);
    schemaOf(version).applyDefaults(old);
    errors = write(definition, version, object, old, sub);
    if (errors.length > 0) return [step, errors];
    current = object;
  }
  return ['done', []];
}
