import { fieldErrorMessage } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { definition, version } from '../testing/definition.ts';
import { validateCrdCreate } from '../validate/crd.ts';
import { applyV1beta1Defaults } from './defaults.ts';
import { fromV1beta1 } from './from-v1beta1.ts';
import { toV1beta1 } from './to-v1beta1.ts';
import type { V1beta1CustomResourceDefinition, V1beta1Spec } from './types.ts';
import { validateV1beta1 } from './validate.ts';

const schema = (...fields: string[]) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
  },
});
const column = (name: string) => ({ name, type: 'string', JSONPath: `.spec.${name}` });

function v1beta1(spec: Partial<V1beta1Spec>): V1beta1CustomResourceDefinition {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: '', names: { plural: 'widgets', kind: 'Widget' }, ...spec },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
  };
  applyV1beta1Defaults(crd);
  return crd;
}

const v1 = { name: 'v1', served: true, storage: true };
const v2 = { name: 'v2', served: true, storage: false };

describe('defaults', () => {
  it('make a list of the single version', () => {
    expect(v1beta1({ version: 'v1' }).spec).toMatchObject({
      versions: [v1],
      version: 'v1',
      scope: 'Namespaced',
      preserveUnknownFields: true,
    });
  });

  it('fill in what v1 fills in too', () => {
    const { spec, status } = v1beta1({ version: 'v1' });
    expect(spec.names).toMatchObject({ singular: 'widget', listKind: 'WidgetList' });
    expect(status.storedVersions).toEqual(['v1']);
  });

  it('take the single version from the list', () => {
    expect(v1beta1({ versions: [v2, v1] }).spec.version).toBe('v2');
  });

  it('assume that webhooks take v1beta1', () => {
    expect(
      v1beta1({ version: 'v1', conversion: { strategy: 'Webhook' } }).spec.conversion
        ?.conversionReviewVersions,
    ).toEqual(['v1beta1']);
  });
});

describe('to v1', () => {
  it('copies what is at the top to every version', () => {
    const { spec } = fromV1beta1(
      v1beta1({
        versions: [v1, v2],
        validation: schema('a'),
        subresources: { status: {} },
        additionalPrinterColumns: [column('a')],
      }),
    );
    const copied = {
      schema: schema('a'),
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.spec.a' }],
    };
    expect(spec.versions).toEqual([
      { ...v1, ...copied },
      { ...v2, ...copied },
    ]);
    expect(spec.versions[0]!.schema).not.toBe(spec.versions[1]!.schema);
    expect(spec).not.toHaveProperty('version');
    expect(spec.preserveUnknownFields).toBe(true);
  });

  it('keeps what only one version has', () => {
    const versions = [
      { ...v1, schema: schema('a') },
      { ...v2, schema: schema('b'), subresources: { status: {} } },
    ];
    expect(fromV1beta1(v1beta1({ versions })).spec.versions).toEqual(versions);
  });

  it('moves the webhook', () => {
    const conversion = {
      strategy: 'Webhook',
      webhookClientConfig: { url: 'https://example.com' },
      conversionReviewVersions: ['v1'],
    };
    expect(fromV1beta1(v1beta1({ version: 'v1', conversion })).spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://example.com' }, conversionReviewVersions: ['v1'] },
    });
  });
});

describe('to v1beta1', () => {
  it('moves to the top what all versions share, each part separately', () => {
    const crd = definition({
      versions: [
        version('v1', { storage: true, schema: schema('a'), subresources: { status: {} } }),
        version('v2', {
          schema: schema('a'),
          subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        }),
      ],
    });
    const { spec, apiVersion } = toV1beta1(crd);
    expect(apiVersion).toBe('apiextensions.k8s.io/v1beta1');
    expect(spec).toMatchObject({ version: 'v1', validation: schema('a'), preserveUnknownFields: false });
    expect(spec).not.toHaveProperty('subresources');
    expect(spec.versions?.map(Object.keys)).toEqual([
      ['name', 'served', 'storage', 'subresources'],
      ['name', 'served', 'storage', 'subresources'],
    ]);
  });

  it('uses its own spelling for columns and the webhook', () => {
    const crd = definition({
      versions: [
        version('v1', {
          storage: true,
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
        }),
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://example.com' }, conversionReviewVersions: ['v1'] },
      },
    });
    expect(toV1beta1(crd).spec).toMatchObject({
      additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
      conversion: {
        strategy: 'Webhook',
        webhookClientConfig: { url: 'https://example.com' },
        conversionReviewVersions: ['v1'],
      },
    });
  });
});

describe('validation', () => {
  const refusals = (spec: Partial<V1beta1Spec>) => validateV1beta1(v1beta1(spec)).map(fieldErrorMessage);

  it.each<[string, Partial<V1beta1Spec>, string]>([
    [
      'schemas',
      { validation: schema('a'), versions: [v1, { ...v2, schema: schema('b') }] },
      'spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive',
    ],
    [
      'subresources',
      { subresources: {}, versions: [v1, { ...v2, subresources: {} }] },
      'spec.subresources: Forbidden: top-level and per-version subresources are mutually exclusive',
    ],
    [
      'columns',
      {
        additionalPrinterColumns: [column('a')],
        versions: [v1, { ...v2, additionalPrinterColumns: [column('b')] }],
      },
      'spec.additionalPrinterColumns: Forbidden: top-level and per-version additionalPrinterColumns are mutually exclusive',
    ],
  ])('refuses %s both at the top and in a version', (_, spec, message) => {
    expect(refusals(spec)).toEqual([message]);
  });

  it.each<[string, object, string]>([
    [
      'schemas',
      { schema: schema('a') },
      'per-version schemas may not all be set to identical values (top-level validation should be used instead)',
    ],
    [
      'subresources',
      { subresources: { status: {} } },
      'per-version subresources may not all be set to identical values (top-level subresources should be used instead)',
    ],
    [
      'columns',
      { additionalPrinterColumns: [column('a')] },
      'per-version additionalPrinterColumns may not all be set to identical values (top-level additionalPrinterColumns should be used instead)',
    ],
  ])('asks for the top level where the %s of all versions are the same', (_, part, detail) => {
    const [error, ...others] = validateV1beta1(
      v1beta1({
        versions: [
          { ...v1, ...part },
          { ...v2, ...part },
        ],
      }),
    );
    expect(error).toMatchObject({ field: 'spec.versions', type: 'FieldValueInvalid', detail });
    expect(error?.valueText).toContain('"Name":"v1"');
    expect(others).toEqual([]);
    expect(validateV1beta1(v1beta1({ versions: [{ ...v1, ...part }, v2] }))).toEqual([]);
  });

  it('requires version to be the first of versions', () => {
    expect(refusals({ version: 'v2', versions: [v1, v2] })).toEqual([
      'spec.version: Invalid value: "v2": must match the first version in spec.versions',
    ]);
  });

  const create = (spec: Partial<V1beta1Spec>) => {
    return validateCrdCreate(fromV1beta1(v1beta1(spec)), 'v1beta1').map(fieldErrorMessage);
  };

  it('requires less than v1 does', () => {
    expect(create({ version: 'v1' })).toEqual([]);
    expect(
      create({ version: 'v1', validation: { openAPIV3Schema: { properties: { a: { type: 'odd' } } } } }),
    ).toEqual([]);
    expect(
      create({ group: 'x.k8s.io', version: 'v1' }).filter((text) => !text.startsWith('metadata.name')),
    ).toEqual([]);
  });

  it('requires structural schemas if unknown fields are pruned', () => {
    expect(create({ version: 'v1', preserveUnknownFields: false })).toEqual([
      'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
    ]);
  });

  it('forbids defaults', () => {
    expect(
      create({
        version: 'v1',
        validation: {
          openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
        },
      }),
    ).toEqual([
      'spec.validation.openAPIV3Schema.properties[a].default: Forbidden: must not be set (cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)',
    ]);
  });

  it('forbids conversion webhooks if unknown fields are preserved', () => {
    const conversion = { strategy: 'Webhook', webhookClientConfig: { url: 'https://example.com' } };
    expect(create({ version: 'v1', conversion })).toEqual([
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    ]);
  });
});
