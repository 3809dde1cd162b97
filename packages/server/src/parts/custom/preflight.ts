// Tries the conversion in a dry-run update of a definition: a stored object, or one made from the schema if
// there is none, is converted from each version to each other and back, and Warning headers report the
// result. Nothing is stored, and the dry run does not fail.
import type { Converter } from '@instar/convert';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { asJson, encodeJson, type KubeObject } from '@instar/machinery';
import { compileSchema, smallestExample } from '@instar/schema';
import { asCrd } from '../../kinds/builtin/custom-resource-definition.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import type { Admission } from '../../objects/write/write-request.ts';
import { ConversionTrial, type TriedVersion } from './conversion-trial.ts';
import type { Converters } from './converters.ts';

const MAX_VERSIONS = 6;
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
    const trial = new ConversionTrial(converter, versions);
    const stored = this.#storedObject(crd);
    if (stored !== undefined) return trial.report(stored);
    const made = madeObject(crd, versions);
    if (made === undefined)
      return [
        'preflight: there is no object to try the conversion with, and none could be made from the schemas',
      ];
    return [
      ...(await trial.report(made)),
      'preflight: there is no object yet, and the one that was made has only what a schema requires',
    ];
  }

  #storedObject(crd: CustomResourceDefinition): KubeObject | undefined {
    const resource = this.#registry.get(crd.spec.group, crd.spec.names.plural);
    for (const cached of resource?.cache.values() ?? []) {
      if (crd.spec.versions.some(({ name }) => `${crd.spec.group}/${name}` === cached.storedApiVersion))
        return cached.parse();
    }
    return undefined;
  }
}

const triedVersion = ({ name, schema }: CustomResourceDefinitionVersion): TriedVersion => ({
  name,
  schema: compileSchema(schema?.openAPIV3Schema ?? {}),
});

/** True for a new storage version, new versions, and changes of how objects are converted. */
function changesConversion(crd: CustomResourceDefinition, old: CustomResourceDefinition): boolean {
  const flags = ({ spec }: CustomResourceDefinition): string =>
    encodeJson([
      spec.conversion ?? null,
      spec.versions.map(({ name, served, storage }) => [name, served, storage]),
    ]);
  return flags(crd) !== flags(old);
}

function madeObject(
  { spec }: CustomResourceDefinition,
  versions: readonly TriedVersion[],
): KubeObject | undefined {
  for (const { name, schema } of versions) {
    const made = smallestExample(schema.source);
    const metadata = {
      name: 'preflight',
      ...(spec.scope === 'Namespaced' && { namespace: 'default' }),
      uid: TRIAL_UID,
    };
    const object = {
      ...(made as object),
      apiVersion: `${spec.group}/${name}`,
      kind: spec.names.kind,
      metadata,
    };
    if (schema.validate(asJson(object)).length === 0) return object;
  }
  return undefined;
}

/** The admission of definitions, with the report of the preflight in a dry run. */
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
