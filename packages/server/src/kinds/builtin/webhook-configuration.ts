// admissionregistration.k8s.io: which webhooks are called before objects are written. The two kinds differ in
// one field. v1beta1 is served beside v1 over the same stored objects: upstream has dropped it, but clients
// still use it.
import { RELABEL } from '@instar/convert';
import { field, listOf, type StructType } from '@instar/kinds';
import { deepEqual, type FieldError, type JsonValue, type KubeObject } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { type BuiltinVersion, defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';
import { validateWebhooks, type Webhook } from '../validate/webhook.ts';
import { mutatingWebhook, validatingWebhook, type WebhookVersion } from './admission-types.ts';

interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

const GROUP = 'admissionregistration.k8s.io';

const countOf = (list: JsonValue | undefined): number => (Array.isArray(list) ? list.length : 0);
const webhooksOf = (object: KubeObject): Webhook[] => (object as WebhookConfiguration).webhooks ?? [];

const columns = [
  nameColumn,
  column('Webhooks', 'How many webhooks the configuration holds.', ({ webhooks }) => countOf(webhooks), {
    type: 'integer',
  }),
  ageColumn,
];

function validate(object: KubeObject, old: KubeObject | undefined, { version }: WriteContext): FieldError[] {
  return validateWebhooks(webhooksOf(object), old && webhooksOf(old), version.version as WebhookVersion);
}

interface Configuration {
  readonly name: 'Validating' | 'Mutating';
  readonly webhook: (version: WebhookVersion) => StructType;
  readonly description: string;
}

function versionOf({ name, webhook, description }: Configuration, version: WebhookVersion): BuiltinVersion {
  const type = kind(`${version}.${name}WebhookConfiguration`, description, {
    webhooks: field(2, listOf(webhook(version)), 'The webhooks and what each is asked about.', {
      listType: 'map',
      mapKeys: ['name'],
      patch: { strategy: 'merge', key: 'name' },
    }),
  });
  const own = `${name}WebhookConfiguration`;
  const deprecationWarning = `${GROUP}/v1beta1 ${own} is deprecated; use ${GROUP}/v1 ${own}`;
  return { group: GROUP, version, type, columns, ...(version === 'v1beta1' && { deprecationWarning }) };
}

function defineConfiguration(configuration: Configuration) {
  const { name } = configuration;
  return defineKind({
    plural: `${name.toLowerCase()}webhookconfigurations`,
    kind: `${name}WebhookConfiguration`,
    categories: ['api-extensions'],
    namespaced: false,
    storagePath: `${name.toLowerCase()}webhookconfigurations/`,
    versions: [versionOf(configuration, 'v1'), versionOf(configuration, 'v1beta1')],
    converter: RELABEL,
    strategy: {
      prepareForCreate: ({ metadata }) => {
        metadata.generation = 1;
      },
      prepareForUpdate: (object, old) => {
        const changed = !deepEqual(object['webhooks'] as JsonValue, old['webhooks'] as JsonValue);
        if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      },
      validateCreate: (object, context) => validate(object, undefined, context),
      validateUpdate: validate,
      allowUnconditionalUpdate: false,
    },
  });
}

export const validatingWebhookConfigurations = defineConfiguration({
  name: 'Validating',
  webhook: validatingWebhook,
  description: 'Webhooks that are asked whether a request may go ahead.',
});
export const mutatingWebhookConfigurations = defineConfiguration({
  name: 'Mutating',
  webhook: mutatingWebhook,
  description: 'Webhooks that may change objects before they are stored.',
});
