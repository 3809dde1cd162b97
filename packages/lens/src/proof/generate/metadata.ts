// Metadata as objects in a cluster have it: a name, an identity, labels and annotations, at times owners,
// finalizers and managers.
import { type JsonObject, setMember } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from './dice.ts';
import { formatted } from './formats.ts';
import { stringFor } from './strings.ts';

const NAMES = ['a', 'web', 'my-app', 'db-0', 'example.com', 'x1'];
const LABELS = ['app', 'app.kubernetes.io/name', 'tier', 'example.com/team'];
const LABEL_VALUES = ['', 'web', 'v1.2.3', 'A_b', '0'];
const ANNOTATIONS = ['note', 'example.com/checksum', 'kubectl.kubernetes.io/restartedAt'];
const ANNOTATION_VALUES = ['', 'any text: "é", {}', '2024-01-02T03:04:05Z', '{"a":[1]}'];

export interface MetadataOptions {
  readonly namespaced: boolean;
  /** The schema of metadata, which may limit the name. */
  readonly schema: JSONSchemaProps | undefined;
}

export function metadataFor(
  dice: Dice,
  { namespaced, schema }: MetadataOptions,
  isRich: boolean,
): JsonObject {
  const name = schema?.properties?.['name'];
  const meta: JsonObject = { name: name === undefined ? dice.pick(NAMES) : stringFor(name, dice) };
  if (namespaced) meta['namespace'] = dice.pick(['default', 'team-a']);
  meta['uid'] = formatted('uuid', dice)!;
  // Every object that was ever stored has one, and programs in Go write null where there is none.
  meta['creationTimestamp'] = '2024-01-02T03:04:05Z';
  if (!isRich) return meta;
  addIdentity(meta, dice);
  if (dice.chance(60)) meta['labels'] = pairs(dice, LABELS, LABEL_VALUES);
  if (dice.chance(60)) meta['annotations'] = pairs(dice, ANNOTATIONS, ANNOTATION_VALUES);
  if (dice.chance(15)) meta['finalizers'] = [dice.pick(['example.com/cleanup', 'foregroundDeletion'])];
  if (dice.chance(15)) meta['ownerReferences'] = [owner(dice)];
  if (dice.chance(10)) meta['deletionTimestamp'] = formatted('date-time', dice)!;
  return meta;
}

function addIdentity(meta: JsonObject, dice: Dice): void {
  meta['resourceVersion'] = String(dice.int(1, 99_999));
  meta['generation'] = dice.int(1, 9);
}

function pairs(dice: Dice, keys: readonly string[], values: readonly string[]): JsonObject {
  const map: JsonObject = {};
  for (const key of dice.shuffled(keys).slice(0, dice.int(1, 2))) setMember(map, key, dice.pick(values));
  return map;
}

const owner = (dice: Dice): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: dice.pick(NAMES),
  uid: formatted('uuid', dice)!,
});

/** Type and metadata of an embedded resource; what the schema says of them is kept to. */
export function embeddedMeta(dice: Dice, properties: Record<string, JSONSchemaProps>): JsonObject {
  const text = (name: string, choices: readonly string[]): string => {
    const schema = Object.hasOwn(properties, name) ? properties[name]! : undefined;
    return schema?.enum === undefined ? dice.pick(choices) : String(dice.pick(schema.enum));
  };
  return {
    apiVersion: text('apiVersion', ['v1', 'apps/v1', 'example.com/v1']),
    kind: text('kind', ['ConfigMap', 'Deployment', 'Thing']),
    ...(dice.chance(70) && { metadata: { name: dice.pick(NAMES) } }),
  };
}
