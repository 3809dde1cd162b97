// A lens is written once and used by the API server, as a webhook, offline and in a controller. Here the
// example lenses run in all of them, on their samples and on generated objects, with the same results.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CustomResourceDefinition } from '@instar/crd';
import { canonicalize, type LensSet, parseLens, takeStash } from '@instar/lens';
import { arbitraryOf, sample } from '@instar/lens/proof';
import { type JsonObject, type JsonValue, type KubeObject, parseYaml } from '@instar/machinery';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { answerReview, conversion } from '@instar/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const GENERATED = 25;
const SEED = 1;

const read = (path: string): JsonValue => parseYaml(readFileSync(EXAMPLES + path, 'utf8')).value;

/** An object without the metadata that the server sets. */
const said = ({ apiVersion, kind, metadata, ...rest }: KubeObject) => ({
  apiVersion,
  kind,
  labels: metadata.labels ?? {},
  annotations: metadata.annotations ?? {},
  ...rest,
});

let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

describe.each(['crontab', 'gateway-backendtlspolicy', 'widget'])('the lens of examples/%s', (example) => {
  const crd = read(`${example}/crd.yaml`) as unknown as CustomResourceDefinition;
  const lens: LensSet = parseLens(read(`${example}/lens.yaml`)).lens!;
  const { group, names, versions } = crd.spec;
  const newest = lens.versions.at(-1)!;
  const older = lens.versions.filter((version) => version !== newest);
  const url = (version: string, name = ''): string =>
    `/apis/${group}/${version}/namespaces/default/${names.plural}${name && `/${name}`}`;
  const webhook = conversion({ kind: names.kind, lens });

  const samples = readdirSync(`${EXAMPLES}${example}/samples`).map(
    (file) => read(`${example}/samples/${file}`) as unknown as KubeObject,
  );
  const generated = older.flatMap((version) => {
    const schema = versions.find(({ name }) => name === version)!.schema!.openAPIV3Schema!;
    const arbitrary = arbitraryOf(schema, { apiVersion: `${group}/${version}`, kind: names.kind });
    return sample(arbitrary, GENERATED, SEED);
  });
  const objects = [...samples, ...generated]
    .filter(({ apiVersion }) => !apiVersion.endsWith(`/${newest}`))
    .map(
      (object, index) =>
        ({
          ...object,
          metadata: { labels: object.metadata.labels ?? {}, name: `object-${index}`, namespace: 'default' },
        }) as KubeObject,
    );

  beforeAll(async () => {
    const metadata = {
      ...crd.metadata,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    };
    expect(
      (
        await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
          ...crd,
          metadata,
        })
      ).body.message,
    ).toBe(undefined);
    expect(
      (await api.send('POST', '/apis/instar.dev/v1alpha1/lenses', read(`${example}/lens.yaml`))).status,
    ).toBe(201);
    const status = async () =>
      (await api.send('GET', `/apis/instar.dev/v1alpha1/lenses/${crd.metadata.name}`)).body.status
        ?.conditions;
    await eventually('the lens to be complete', async () =>
      (await status())?.every((condition: { status: string }) => condition.status === 'True'),
    );
    await eventually(
      'the definition to be served',
      async () => (await api.send('GET', url(newest))).status === 200,
    );
  });

  it(`gives the same in the server, as a webhook, offline and in a controller (${objects.length} objects)`, async () => {
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'u', desiredAPIVersion: `${group}/${newest}`, objects },
    };
    const { body } = await answerReview(webhook, review);
    const byWebhook = ((body['response'] as JsonObject)['convertedObjects'] as JsonValue[]) ?? [];
    for (const [index, object] of objects.entries()) {
      const offline = lens.convert(object, newest);
      expect(byWebhook[index]).toEqual(offline);
      expect(canonicalize(object, lens, lens.versions).object).toEqual(offline);
      const {
        metadata: { name = '' },
        apiVersion,
      } = object;
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
      const created = await api.send('POST', url(version), object);
      expect(created.status, JSON.stringify(created.body.message)).toBe(201);
      const inServer = (await api.send('GET', url(newest, name))).body as KubeObject;
      expect(said(inServer)).toEqual(said(takeStash(offline).object));
      expect(said((await api.send('GET', url(version, name))).body)).toEqual(said(object));
    }
  });
});
