// Replays recorded requests for definitions, and compares errors, warnings, names and conditions.

import { RECORDINGS, readRecording } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import { Registry } from './testing/registry.ts';

/** These scenarios contain requests for definitions only. */
const SCENARIOS = [
  'definitions-validation.names',
  'definitions-validation.approval',
  'definitions-validation.versions',
  'definitions-validation.structural',
  'definitions-validation.extensions',
  'definitions-validation.defaults',
  'definitions-validation.rules',
  'definitions-validation.columnsAndSubresources',
  'definitions-validation.conversions',
  'definitions-validation.lenient',
  'definitions.updates',
  'definitions.statusUpdates',
  'definitions.ratcheting',
  'definitions.nameConflicts',
  'conversion-definition.accepted',
  'schemas-cel.celRefused',
];

interface Shown {
  status?: number;
  body?: { details?: { causes?: object[] } };
  warnings?: string[] | undefined;
  value?: unknown;
}

interface RequestOptions {
  body?: object;
  pick?: (body: object) => object;
}

type Step = [label: string, shown: Shown];

function replay(steps: Step[]) {
  const registry = new Registry();
  const request = async (method: string, url: string, { body }: RequestOptions = {}) =>
    registry.request(method, url, body);
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return {
    client: { request },
    async step(label: string, method: string, url: string, { body, pick }: RequestOptions = {}) {
      const { status, headers, body: answered } = registry.request(method, url, body);
      steps.push([
        label,
        {
          status,
          body: status < 400 && pick !== undefined ? pick(answered) : answered,
          warnings: headers['warning'],
        },
      ]);
      return answered;
    },
    setup: async (method: string, url: string, { body }: RequestOptions = {}) =>
      registry.request(method, url, body).body,
    crd: async (body: object) => registry.request('POST', crds, body),
    note: (label: string, value: unknown) => steps.push([label, { value }]),
    until: async (what: string, check: () => Promise<boolean>) => {
      if (!(await check())) throw new Error(`${what} is not so`);
    },
    established: async () => {},
    onEnd: () => {},
  };
}

/** Leaves out what the rest of a server decides (conflicts, discovery), and the text around the causes. */
function comparable(
  [label, { status, body, warnings, value }]: Step,
  withBodies: boolean,
): [string, object] | undefined {
  if (value !== undefined) return [label, { value }];
  if (status === 422) return [label, { status, causes: body?.details?.causes }];
  return status === 200 || status === 201
    ? [label, { status, ...(withBodies && { body }), warnings }]
    : undefined;
}

/**
 * Not about validation: a missing resourceVersion is detected earlier, and discovery is not part of this
 * package.
 */
const LEFT_OUT = [
  'no resourceVersion',
  'it is not served',
  'and discovery has the old names',
  'patch of the status',
];

describe('as recorded from kube-apiserver', () => {
  it.each(SCENARIOS)('%s', async (id) => {
    const [file, scenario] = id.split('.') as [string, string];
    const module = await import(/* @vite-ignore */ `${RECORDINGS}scenarios/${file}.mjs`);
    const { Masks, normalise } = await import(/* @vite-ignore */ `${RECORDINGS}lib/normalise.mjs`);
    const steps: Step[] = [];
    await module[scenario](replay(steps));
    const masks = new Masks();
    const found = steps.map(([label, shown]): Step => [label, normalise(shown, masks)]);
    const recorded = readRecording(id) as { label: string; answer: Shown }[];
    // Whether empty fields are stored is up to decoding.
    const withBodies = file === 'definitions';
    const known = recorded.map(({ label, answer }) => comparable([label, answer], withBodies));
    const expected = new Map(known.filter((step) => step !== undefined));
    for (const label of LEFT_OUT) expected.delete(label);
    const compared = found
      .filter(([label]) => expected.has(label))
      .map((step) => comparable(step, withBodies) ?? step);
    expect(Object.fromEntries(compared)).toEqual(Object.fromEntries(expected));
  });
});
