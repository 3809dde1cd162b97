import { expect, it } from 'vitest';
import { Trial } from './trial.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configuration.ts';

const BETA = 'admissionregistration.k8s.io/v1beta1';
const webhook = { name: 'a.example.com', clientConfig: { url: 'https://hook.example.com' } };

it('v1beta1 has its own defaults', () => {
  const defaults = {
    failurePolicy: 'Ignore',
    matchPolicy: 'Exact',
    sideEffects: 'Unknown',
    timeoutSeconds: 30,
  };
  const expected = { webhooks: [{ ...defaults, admissionReviewVersions: ['v1beta1'] }] };
  expect(new Trial(validatingWebhookConfigurations, BETA).create({ webhooks: [webhook] })).toMatchObject(
    expected,
  );
  expect(new Trial(mutatingWebhookConfigurations, BETA).create({ webhooks: [webhook] })).toMatchObject(
    expected,
  );
});

it('v1beta1 accepts side effects and names that v1 refuses', () => {
  const body = { webhooks: [webhook, webhook] };
  expect(new Trial(validatingWebhookConfigurations, BETA).faults(body)).toEqual([]);
  expect(new Trial(validatingWebhookConfigurations).faults(body)).not.toEqual([]);
});
