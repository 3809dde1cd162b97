// A definition survives the round trip through the other version.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { definition } from '../testing/definition.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinitionVersion,
  WebhookClientConfig,
} from '../types.ts';
import { fromV1beta1 } from './from-v1beta1.ts';
import { toV1beta1 } from './to-v1beta1.ts';
import { validateV1beta1 } from './validate.ts';

// Few choices each, so that versions often share something.
const schema = fc.constantFrom(
  { openAPIV3Schema: { type: 'object' } },
  { openAPIV3Schema: { type: 'object', maxProperties: 2 } },
  {},
);
const subresources = fc.constantFrom(
  { status: {} },
  {},
  { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
);
const column = fc.record(
  {
    name: fc.constantFrom('A', 'B'),
    type: fc.constant('string'),
    jsonPath: fc.constantFrom('.a', '.b'),
    priority: fc.nat(2),
    format: fc.constant('date'),
  },
  { requiredKeys: ['name', 'type', 'jsonPath'] },
);
const version = fc.record(
  {
    name: fc.constantFrom('v1', 'v2', 'v1beta1'),
    served: fc.boolean(),
    storage: fc.boolean(),
    deprecated: fc.constant(true),
    deprecationWarning: fc.constantFrom('old', 'older'),
    schema,
    subresources,
    additionalPrinterColumns: fc.array(column, { minLength: 1, maxLength: 2 }),
    selectableFields: fc.constantFrom([{ jsonPath: '.a' }], [{ jsonPath: '.b' }]),
  },
  { requiredKeys: ['name', 'served', 'storage'] },
) as fc.Arbitrary<CustomResourceDefinitionVersion>;
const clientConfig = fc.constantFrom<WebhookClientConfig>(
  { url: 'https://example.com' },
  { service: { namespace: 'default', name: 'hook', port: 443 }, caBundle: 'AAAA' },
);
const conversion: fc.Arbitrary<CustomResourceConversion> = fc.oneof(
  fc.constant<CustomResourceConversion>({ strategy: 'None' }),
  fc.record({
    strategy: fc.constant('Webhook'),
    webhook: fc.record(
      { clientConfig, conversionReviewVersions: fc.constantFrom<string[]>(['v1'], ['v1', 'v1beta1']) },
      { requiredKeys: ['conversionReviewVersions'] },
    ),
  }),
);
const crd = fc
  .record({
    versions: fc.array(version, { minLength: 1, maxLength: 3 }),
    conversion,
    preserves: fc.boolean(),
  })
  .map(({ versions, conversion: how, preserves }) =>
    definition({ versions, conversion: how, ...(preserves && { preserveUnknownFields: true }) }),
  );

it('v1 to v1beta1 and back loses nothing', () => {
  fc.assert(
    fc.property(crd, (given) => {
      expect(fromV1beta1(toV1beta1(given))).toEqual(given);
    }),
  );
});

it('the v1beta1 form is valid', () => {
  fc.assert(
    fc.property(crd, (given) => {
      const converted = toV1beta1(given);
      expect(validateV1beta1(converted)).toEqual([]);
    }),
  );
});

it('v1beta1 to v1 and back loses nothing', () => {
  fc.assert(
    fc.property(crd, (given) => {
      const converted = toV1beta1(given);
      expect(toV1beta1(fromV1beta1(converted))).toEqual(converted);
    }),
  );
});
