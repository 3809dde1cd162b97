// The webhook, review in and answer out, and once over real TLS.
import type { AdmissionReview, JsonObject } from '@instar/machinery';
import { serveWebhooks } from '@instar/webhook';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { snapshotWebhooks } from './snapshot-webhook.ts';

type Kind = 'VolumeSnapshot' | 'VolumeSnapshotContent';
const GROUP = 'snapshot.storage.k8s.io';

function review(
  kind: Kind,
  version: string,
  object: JsonObject | null,
  oldObject: JsonObject | null,
  api = 'v1',
): JsonObject {
  const operation = object === null ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE';
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${api}`,
    request: {
      uid: 'u-1',
      kind: { group: GROUP, version, kind },
      resource: { group: GROUP, version, resource: `${kind.toLowerCase()}s` },
      operation,
      userInfo: {},
      object,
      oldObject,
      dryRun: false,
      options: null,
    },
  };
}

async function ask(asked: JsonObject): Promise<AdmissionReview> {
  const answer = await snapshotWebhooks()['/volumesnapshots']!.answer(Buffer.from(JSON.stringify(asked)));
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as AdmissionReview;
}

const snapshot = (source: JsonObject, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  kind: 'VolumeSnapshot',
  metadata: { name: 'a', ...metadata },
  spec: { source, ...more },
});
const CLAIM = { persistentVolumeClaimName: 'p' };

describe.each(['v1', 'v1beta1'])('the webhook, called for %s', (version) => {
  it('refuses what is new and invalid with HTTP 400 and the name of the field', async () => {
    const { response } = await ask(review('VolumeSnapshot', version, snapshot({}), null));
    const message =
      'spec.source: Required value: exactly one of spec.source.persistentVolumeClaimName and spec.source.volumeSnapshotContentName must be set';
    expect(response).toMatchObject({
      uid: 'u-1',
      allowed: false,
      status: { code: 400, reason: 'BadRequest', message },
    });
  });

  it('refuses to make a valid object invalid', async () => {
    const worse = await ask(
      review('VolumeSnapshot', version, snapshot(CLAIM, { volumeSnapshotClassName: '' }), snapshot(CLAIM)),
    );
    expect(worse.response).toMatchObject({ allowed: false, status: { code: 400 } });
  });

  it('refuses to change what is immutable', async () => {
    const moved = await ask(
      review('VolumeSnapshot', version, snapshot({ persistentVolumeClaimName: 'q' }), snapshot(CLAIM)),
    );
    expect(moved.response!.status!.message).toBe(
      'spec.source.persistentVolumeClaimName: Invalid value: "q": field is immutable; it was "p"',
    );
  });

  it('allows writes of an object that was invalid before, so that its finalizers can be removed', async () => {
    const before = snapshot({}, {}, { finalizers: ['f'] });
    const { response } = await ask(review('VolumeSnapshot', version, snapshot({}), before));
    expect(response).toMatchObject({ allowed: true });
    expect(response!.warnings![0]).toMatch(
      /^still invalid, as before this change: spec\.source: Required value/,
    );
  });

  it('enforces immutability even then', async () => {
    const { response } = await ask(review('VolumeSnapshot', version, snapshot(CLAIM), snapshot({})));
    expect(response).toMatchObject({ allowed: false, status: { code: 400 } });
  });

  it('allows every deletion', async () => {
    expect((await ask(review('VolumeSnapshot', version, null, snapshot({})))).response).toMatchObject({
      allowed: true,
    });
  });

  it('knows the rules of contents', async () => {
    const content = (ref: JsonObject): JsonObject => ({
      kind: 'VolumeSnapshotContent',
      metadata: {},
      spec: { source: { volumeHandle: 'v' }, volumeSnapshotRef: ref },
    });
    const bound = { name: 'n', namespace: 'ns', uid: 'u' };
    const refused = await ask(review('VolumeSnapshotContent', version, content({ name: 'n' }), null));
    expect(refused.response!.status!.message).toContain('spec.volumeSnapshotRef.namespace: Required value');
    const binding = await ask(
      review('VolumeSnapshotContent', version, content(bound), content({ name: 'n', namespace: 'ns' })),
    );
    expect(binding.response).toMatchObject({ allowed: true });
    const moved = await ask(
      review('VolumeSnapshotContent', version, content({ ...bound, name: 'm' }), content(bound)),
    );
    expect(moved.response).toMatchObject({ allowed: false, status: { code: 400 } });
  });
});

it('reports requests for other resources, which are a misconfiguration', async () => {
  const asked = review('VolumeSnapshot', 'v1', snapshot({}), null);
  (asked['request'] as JsonObject)['resource'] = {
    group: GROUP,
    version: 'v1',
    resource: 'volumesnapshotclasses',
  };
  expect((await ask(asked)).response!.status).toMatchObject({
    code: 400,
    message: expect.stringContaining('correct the rules of its configuration'),
  });
});

it('answers over TLS, in both versions of AdmissionReview, without authenticating the caller', async () => {
  const host = await serveWebhooks({
    webhooks: snapshotWebhooks(),
    listen: { host: '127.0.0.1', port: 0 },
    tls: { selfManaged: {} },
  });
  const pool = new Pool(host.url, { connect: { ca: host.caBundle, servername: 'localhost' } });
  try {
    for (const api of ['v1', 'v1beta1'])
      for (const path of ['/volumesnapshots', '/volumesnapshot?timeout=2s']) {
        const body = JSON.stringify(review('VolumeSnapshot', 'v1beta1', snapshot({}), null, api));
        const answer = await pool.request({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(answer.statusCode).toBe(200);
        expect(await answer.body.json()).toMatchObject({
          apiVersion: `admission.k8s.io/${api}`,
          response: { uid: 'u-1', allowed: false },
        });
      }
  } finally {
    await pool.destroy();
    await host.close();
  }
});
