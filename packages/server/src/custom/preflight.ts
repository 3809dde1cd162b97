// What a dry-run update of a definition tells about its conversion: the webhook is called once for each pair of versions with a real object, or with one
// made from the schema where there is none, and Warning headers say what came of it. Nothing is stored, and no dry run fails for it.
import { type Converter, isFailure, sourceOf } from '@instar/convert';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { asJson, encodeJson, type KubeObject } from '@instar/machinery';
import { type CompiledSchema, compileSchema, smallestExample } from '@instar/schema';
import { asCrd } from '../builtin/kinds/custom-resource-definition.ts';
import type { ResourceRegistry } from '../resource/registry.ts';
import type { Resource } from '../resource/resource.ts';
import type { Admission } from '../resource/write/write-request.ts';
import type { Converters } from './converters.ts';

const MAX_VERSIONS = 6;
const MAX_TOLD = 300;
const TRIAL_UID = '00000000-0000-4000-8000-000000000000';

export class Preflight {
  readonly #registry: ResourceRegistry;
  readonly #converters: Converters;

  constructor(registry: ResourceRegistry, converters: Converters) {
    this.#registry = registry;
    this.#converters = converters;
  }

  /** Texts for Warning headers; none if the update changes nothing about conversion. */
  async report(crd: CustomResourceDefinition, old: CustomResourceDefinition): Promise<string[]> {
    if (crd.spec.conversion?.strategy !== 'Webhook' || !changesConversion(crd, old)) return [];
    if (this.#converters.unavailable(crd) !== undefined) return [];
    const trial = this.#converters.trial(crd);
    try {
      return await this.#try(crd, trial.converter);
    } finally {
      trial.release();
    }
  }

  async #try(crd: CustomResourceDefinition, converter: Converter): Promise<string[]> {
    const versions = crd.spec.versions
      .filter(({ served, storage }) => served || storage)
      .slice(0, MAX_VERSIONS)
      .map(triedVersion);
    const sample = this.#storedObject(crd) ?? madeObject(crd, versions);
    if (sample === undefined) return ['preflight: there is no object to try the conversion with, and none could be made from the schemas'];
    const outward = await this.#convertToAll(converter, sample, versions);
    const onward = await Promise.all(
      outward.flatMap(({ object }) => (object === undefined ? [] : [this.#convertToAll(converter, object, versions)])),
    );
    const trips = [...outward, ...onward.flat()];
    const failed = trips.filter(({ problem }) => problem !== undefined);
    const { namespace, name } = sample.metadata;
    const whom = `${namespace === undefined ? '' : `${namespace}/`}${name}`;
    if (failed.length > 0)
      return failed.map(({ from, to, problem }) => `preflight: ${whom} from ${from} to ${to}: ${problem!.slice(0, MAX_TOLD)}`);
    return [`preflight: ${whom} was converted ${trips.map(({ from, to }) => `${from} to ${to}`).join(', ')}; all answers are good`];
  }

  async #convertToAll(converter: Converter, object: KubeObject, versions: readonly TriedVersion[]): Promise<Trip[]> {
    const from = versionOf(object);
    const others = versions.filter(({ name }) => name !== from);
    return Promise.all(others.map((version) => convertedTo(converter, object, version)));
  }

  #storedObject(crd: CustomResourceDefinition): KubeObject | undefined {
    const resource = this.#registry.get(crd.spec.group, crd.spec.names.plural);
    for (const cached of resource?.cache.values() ?? []) {
      if (crd.spec.versions.some(({ name }) => `${crd.spec.group}/${name}` === cached.storedApiVersion)) return cached.parse();
    }
    return undefined;
  }
}

/** A version with its schema compiled once, for all objects that come to it. */
interface TriedVersion {
  readonly name: string;
  readonly schema: CompiledSchema;
}

const triedVersion = ({ name, schema }: CustomResourceDefinitionVersion): TriedVersion => ({
  name,
  schema: compileSchema(schema?.openAPIV3Schema ?? {}),
});

interface Trip {
  readonly from: string;
  readonly to: string;
  readonly object?: KubeObject;
  readonly problem?: string;
}

const versionOf = ({ apiVersion }: KubeObject): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

/** Moving storage, new versions, and everything about how objects are converted. */
function changesConversion(crd: CustomResourceDefinition, old: CustomResourceDefinition): boolean {
  const flags = ({ spec }: CustomResourceDefinition): string =>
    encodeJson([spec.conversion ?? null, spec.versions.map(({ name, served, storage }) => [name, served, storage])]);
  return flags(crd) !== flags(old);
}

async function convertedTo(converter: Converter, object: KubeObject, version: TriedVersion): Promise<Trip> {
  const from = versionOf(object);
  const to = version.name;
  const apiVersion = object.apiVersion.replace(/[^/]+$/, () => to);
  let trip: Trip = { from, to };
  await converter.convert?.([sourceOf(object)], apiVersion, (_, outcome) => {
    if (isFailure(outcome)) trip = { from, to, problem: outcome.explain({ withUid: false }) };
    else trip = { from, to, object: outcome, ...problemOf(outcome, version) };
  });
  return trip;
}

function problemOf(object: KubeObject, { schema }: TriedVersion): Pick<Trip, 'problem'> {
  const [error] = schema.validate(asJson(object));
  return error === undefined ? {} : { problem: `the result is not valid: ${error.field}: ${error.detail}` };
}

function madeObject({ spec }: CustomResourceDefinition, versions: readonly TriedVersion[]): KubeObject | undefined {
  for (const { name, schema } of versions) {
    const made = smallestExample(schema.source);
    const metadata = { name: 'preflight', ...(spec.scope === 'Namespaced' && { namespace: 'default' }), uid: TRIAL_UID };
    const object = { ...(made as object), apiVersion: `${spec.group}/${name}`, kind: spec.names.kind, metadata };
    if (schema.validate(asJson(object)).length === 0) return object;
  }
  return undefined;
}

/** The admission of definitions, with the report of a dry run besides. */
export function withPreflight(admission: Admission, crds: Resource, preflight: Preflight): Admission {
  return {
    mutate: (operation) => admission.mutate(operation),
    async validate(operation) {
      await admission.validate(operation);
      const { operation: verb, object, old, write } = operation;
      if (verb !== 'UPDATE' || write.resource !== crds || !write.dryRun || write.subresource !== '') return;
      write.warnings.push(...(await preflight.report(asCrd(object!), asCrd(old!))));
    },
  };
}
