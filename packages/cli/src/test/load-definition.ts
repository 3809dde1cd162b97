// The definition whose conversion is tested, and its versions as the proof needs them.

import {
  applyV1beta1Defaults,
  type CustomResourceDefinition,
  fromV1beta1,
  type V1beta1CustomResourceDefinition,
} from '@instar/crd';
import type { ProofVersion } from '@instar/lens/proof';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { compileSchema } from '@instar/schema';
import { CommandFailure } from '../exit-with-message.ts';
import { readObjects } from './read-yaml.ts';

export interface Definition {
  /** `<plural>.<group>`. */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly ProofVersion[];
}

export interface DefinitionChoice {
  readonly name?: string | undefined;
  readonly versions?: readonly string[] | undefined;
}

export async function loadDefinition(file: string, choice: DefinitionChoice = {}): Promise<Definition> {
  const crd = await readDefinition(file, choice.name);
  const { group, names } = crd.spec;
  const versions = proofVersionsOf(crd).filter(({ name }) => choice.versions?.includes(name) ?? true);
  const unknown = choice.versions?.filter((asked) => !versions.some(({ name }) => name === asked)) ?? [];
  if (unknown.length > 0)
    throw new CommandFailure(`${crd.metadata.name} has no version ${unknown.join(', ')} with a schema`, 2);
  if (versions.length < 2)
    throw new CommandFailure(
      `${crd.metadata.name} has ${versions.length} version${versions.length === 1 ? '' : 's'} with a schema: there is nothing to convert`,
      2,
    );
  return { name: crd.metadata.name ?? `${names.plural}.${group}`, kind: names.kind, group, versions };
}

/** Those that have a schema. */
export function proofVersionsOf({ spec }: CustomResourceDefinition): ProofVersion[] {
  const { group, names, scope, versions } = spec;
  return (versions ?? []).flatMap(({ name, schema }) => {
    const source = schema?.openAPIV3Schema;
    if (source === undefined) return [];
    return [
      {
        name,
        apiVersion: `${group}/${name}`,
        kind: names.kind,
        schema: compileSchema(source),
        namespaced: scope !== 'Cluster',
      },
    ];
  });
}

export async function readDefinition(file: string, name?: string): Promise<CustomResourceDefinition> {
  const all = (await readObjects(file)).filter(({ kind }) => kind === 'CustomResourceDefinition');
  const found = name === undefined ? all : all.filter((one) => printedName(one) === name);
  if (found.length === 1) return wellFormed(found[0]!, file);
  const names = all.map(printedName).join(', ');
  if (all.length === 0) throw new CommandFailure(`${file} holds no CustomResourceDefinition`, 2);
  throw new CommandFailure(
    found.length === 0
      ? `${file} has no ${name}; it has ${names}`
      : `${file} has ${names}: choose one with --name`,
    2,
  );
}

const printedName = ({ metadata }: JsonObject): string =>
  String((isJsonObject(metadata) ? metadata['name'] : undefined) ?? '(no name)');

function wellFormed(object: JsonObject, file: string): CustomResourceDefinition {
  if (isWellFormed(object)) return asDefinition(object);
  throw new CommandFailure(
    `${file}: ${printedName(object)} is malformed: spec.group, spec.names (plural, kind) and spec.versions (a list, with names) are needed`,
  );
}

/** The API server would refuse more; this is what the code here relies on. v1beta1 may have no versions. */
function isWellFormed({ spec }: JsonObject): boolean {
  if (!isJsonObject(spec) || !isJsonObject(spec['names'])) return false;
  const { group, names, versions, version } = spec;
  const isList =
    Array.isArray(versions) && versions.every((one) => isJsonObject(one) && typeof one['name'] === 'string');
  const texts = [group, names['plural'], names['kind'], isList ? '' : version];
  return texts.every((text) => typeof text === 'string') && (isList || (versions ?? undefined) === undefined);
}

function asDefinition(object: JsonObject): CustomResourceDefinition {
  const plain = withoutNulls({
    ...object,
    metadata: object['metadata'] ?? {},
  }) as unknown as CustomResourceDefinition;
  if (plain.apiVersion !== 'apiextensions.k8s.io/v1beta1') return plain;
  const old = plain as unknown as V1beta1CustomResourceDefinition;
  applyV1beta1Defaults(old);
  return fromV1beta1(old);
}

/** A field that is null is not set, except where it is a default, an example or a member of an enum. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [
      key,
      key === 'default' || key === 'enum' ? member : withoutNulls(member),
    ]),
  );
}
