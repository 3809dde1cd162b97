// Keeps the priority levels and flow schemas that kube-apiserver brings along: missing ones are created, and
// their specs brought up to date unless the operator has taken them over (the annotation autoupdate-spec).
import { ApiError, deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import {
  AUTO_UPDATE,
  flowControlObjects,
  isMandatoryFlowControl,
} from '../../kinds/validate/flow-control-defaults.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { createObject } from '../../objects/write/create.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import { deleteInternally } from '../controllers/internal-deletes.ts';
import { internalWrite } from '../controllers/internal-writes.ts';

const MANAGER = 'api-priority-and-fairness-config-producer-v1';
const PERIOD_MS = 60_000;

export class FlowControlMaintenance {
  readonly #registry: ResourceRegistry;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      maintainFlowControl(this.#registry).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'priority levels and flow schemas could not be maintained yet'),
      );
    }, PERIOD_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export async function maintainFlowControl(registry: ResourceRegistry): Promise<void> {
  const wanted = flowControlObjects();
  await Promise.all(wanted.map((object) => maintain(resourceOf(registry, object), object)));
  const names = new Set(wanted.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  for (const resource of new Set(wanted.map((object) => resourceOf(registry, object))))
    for (const { metadata } of resource.cache.values()) {
      const isOfAnotherRelease =
        isTrue(metadata.annotations?.[AUTO_UPDATE]) &&
        !names.has(`${resource.definition.names.kind} ${metadata.name}`);
      if (isOfAnotherRelease) await deleteInternally(resource, metadata, { uid: metadata.uid });
    }
}

const resourceOf = (registry: ResourceRegistry, { apiVersion, kind }: KubeObject): Resource =>
  registry.findKind(apiVersion, kind)!.resource;

async function maintain(resource: Resource, wanted: KubeObject): Promise<void> {
  const name = wanted.metadata.name!;
  await resource.cache.waitUntilFresh();
  const existing = resource.cache.get(resource.key('', name))?.parse();
  const write = internalWrite({ resource, name, manager: MANAGER });
  const { decode } = write.version;
  const decoded = decode!(wanted as unknown as JsonObject);
  if ('error' in decoded) throw new Error(decoded.error);
  const object = {
    ...decoded.object,
    apiVersion: wanted.apiVersion,
    kind: wanted.kind,
  } as never as KubeObject;
  try {
    if (existing === undefined) await createObject(write, object, {});
    else if (revised(existing, object) !== undefined) {
      const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
        const revision = revised(live!, object);
        return revision === undefined ? live! : recordOwnership(write, live, revision);
      };
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    }
  } catch (error) {
    // Somebody else was faster: the next round looks again.
    if (!(error instanceof ApiError && ['AlreadyExists', 'Conflict'].includes(error.reason ?? '')))
      throw error;
  }
}

type WithSpec = KubeObject & { spec: JsonObject };

/** Undefined: it is as it should be. */
export function revised(existing: KubeObject, wanted: KubeObject): KubeObject | undefined {
  const { metadata, spec } = existing as WithSpec;
  const isMaintained = isMandatoryFlowControl(existing) || isLeftToServer(existing);
  const target = withOwnShares(spec, (wanted as WithSpec).spec, metadata.name!);
  const hasSpec = !isMaintained || deepEqual(spec, target);
  const annotation = metadata.annotations?.[AUTO_UPDATE];
  const isMarked = isMaintained ? isTrue(annotation) : isFalse(annotation);
  if (hasSpec && isMarked) return undefined;
  return {
    ...existing,
    metadata: {
      ...metadata,
      ...(!isMarked && { annotations: { ...metadata.annotations, [AUTO_UPDATE]: String(isMaintained) } }),
    },
    ...(!hasSpec && { spec: target }),
  } as KubeObject;
}

/** The shares of exempt are the only part of it that may change. */
function withOwnShares(spec: JsonObject, wanted: JsonObject, name: string): JsonObject {
  return name === 'exempt' && 'exempt' in wanted && 'exempt' in spec
    ? { ...wanted, exempt: spec['exempt']! }
    : wanted;
}

/** Without the annotation: as long as nobody has changed it. */
function isLeftToServer({ metadata }: KubeObject): boolean {
  const annotation = metadata.annotations?.[AUTO_UPDATE];
  if (isTrue(annotation)) return true;
  return !isFalse(annotation) && metadata.generation === 1;
}

/** As Go's strconv.ParseBool. */
const isTrue = (text: string | undefined): boolean =>
  ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');
const isFalse = (text: string | undefined): boolean =>
  ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text ?? '');
