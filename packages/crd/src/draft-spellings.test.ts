import { expect, it } from 'vitest';
import { draftFieldHint } from './draft-spellings.ts';
import { definition } from './testing/definition.ts';
import { validateCrdCreate } from './validate/crd.ts';

it.each([
  ['nop', 'supported values: "None", "Webhook"; "nop" is the spelling of an early draft, use "None"'],
  [
    'external',
    'supported values: "None", "Webhook"; "external" is the spelling of an early draft, use "Webhook"',
  ],
  ['none', 'supported values: "None", "Webhook"'],
])('the strategy %s is refused with the right spelling', (strategy, detail) => {
  const [error, ...others] = validateCrdCreate(definition({ conversion: { strategy } }));
  expect(error).toMatchObject({ type: 'FieldValueNotSupported', field: 'spec.conversion.strategy', detail });
  expect(others).toEqual([]);
});

it('names the field that client_config became', () => {
  expect(draftFieldHint('spec.conversion.webhook.client_config')).toBe(
    '"spec.conversion.webhook.client_config" is the spelling of an early draft, use "spec.conversion.webhook.clientConfig"',
  );
  expect(draftFieldHint('spec.conversion.webhook', 'v1beta1')).toContain(
    '"spec.conversion.webhookClientConfig"',
  );
  expect(draftFieldHint('spec.client_config')).toBeUndefined();
});
