import { Agent, request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { ConversionWebhook } from './conversion-webhook.ts';

const webhook = new ConversionWebhook();
const agent = new Agent({ connect: { ca: Buffer.from(webhook.caBundle, 'base64').toString() } });
afterEach(() => webhook.stop());

async function convert(): Promise<unknown> {
  const object = { apiVersion: 'g/v1', metadata: { name: 'a' }, spec: { cronSpec: '* * * * *' } };
  const review = { request: { uid: 'u', desiredAPIVersion: 'g/v2', objects: [object] } };
  const { body } = await request(webhook.url, {
    method: 'POST',
    body: JSON.stringify(review),
    dispatcher: agent,
  });
  return body.json();
}

it('converts over TLS with a certificate of its caBundle', async () => {
  await webhook.start();
  expect(await convert()).toMatchObject({
    response: { uid: 'u', convertedObjects: [{ apiVersion: 'g/v2', spec: { schedule: '* * * * *' } }] },
  });
});

it('can be restarted at the same URL', async () => {
  await webhook.start();
  const { url } = webhook;
  await webhook.stop();
  await expect(convert()).rejects.toThrow();
  await webhook.start();
  expect(webhook.url).toBe(url);
  expect(await convert()).toMatchObject({ response: { uid: 'u' } });
});

it('records the reviews that it received', async () => {
  await webhook.start();
  const before = webhook.calls;
  await convert();
  expect(webhook.reviews.slice(before)).toMatchObject([{ request: { uid: 'u' } }]);
});
