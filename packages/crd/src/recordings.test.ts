// Replays the recorded requests that create definitions, and compares what is refused, why, and what is warned of.
import { readFileSync } from 'node:fs';
import { aggregateMessage, statusCauses } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { prepareCrdForCreate } from './prepare.ts';
import { decoded } from './testing/decoded.ts';
import { sharedFolder } from './testing/shared-material.ts';
import { validateCrdCreate } from './validate/crd.ts';
import { crdWarnings } from './warnings.ts';

const folder = sharedFolder('conformance');
const SCENARIOS = {
  'definitions-validation': [
    'names',
    'approval',
    'versions',
    'structural',
    'extensions',
    'defaults',
    'rules',
    'columnsAndSubresources',
    'conversions',
    'lenient',
  ],
  'schemas-cel': ['celRefused'],
};

interface Answer {
  status: number;
  headers: Record<string, string[]>;
  body: object;
}

interface Recorded {
  label: string;
  answer: { status?: number; body?: { details?: { causes?: object[] } }; warnings?: string[]; value?: object };
}

/** Answers as the server would, as far as the definition itself decides. */
function answer(method: string, body: object | undefined): Answer {
  if (method !== 'POST') return { status: 404, headers: {}, body: {} };
  const crd = decoded(body!);
  if (crd.metadata.generateName && !crd.metadata.name) crd.metadata.name = `${crd.metadata.generateName}abcde`;
  delete crd.metadata.namespace;
  prepareCrdForCreate(crd);
  const errors = validateCrdCreate(crd);
  const warning = crdWarnings(crd).map((text) => `299 - ${JSON.stringify(text)}`);
  if (errors.length === 0) return { status: 201, headers: warning.length > 0 ? { warning } : {}, body: { ...crd } };
  return {
    status: 422,
    headers: {},
    body: { reason: 'Invalid', message: aggregateMessage(errors), details: { causes: statusCauses(errors) } },
  };
}

function replay(steps: [string, unknown][]) {
  const request = async (method: string, _url: string, { body }: { body?: object } = {}) => answer(method, body);
  return {
    client: { request },
    async step(label: string, method: string, _url: string, { body }: { body?: object } = {}) {
      const { status, headers, body: answered } = answer(method, body);
      const { details } = answered as { details?: { causes?: object[] } };
      steps.push([label, { status, causes: details?.causes, warnings: headers['warning'] }]);
      return answered;
    },
    note: (label: string, value: object) => steps.push([label, { value }]),
    until: async () => {},
  };
}

/** What a server decides before or after validation is not compared. */
function comparable({ label, answer: { status, body, warnings, value } }: Recorded): [string, unknown] | undefined {
  if (value !== undefined) return [label, { value }];
  if (status !== 201 && status !== 422) return undefined;
  return [label, { status, causes: body?.details?.causes, warnings }];
}

describe.skipIf(folder === undefined)('as recorded from kube-apiserver', () => {
  for (const [file, scenarios] of Object.entries(SCENARIOS)) {
    it.each(scenarios)(`${file}: %s`, async (scenario) => {
      const module = await import(/* @vite-ignore */ `${folder}/scenarios/${file}.mjs`);
      const steps: [string, unknown][] = [];
      await module[scenario](replay(steps));
      const recorded: Recorded[] = JSON.parse(readFileSync(`${folder}/expected/${file}.${scenario}.json`, 'utf8'));
      const expected = recorded.map(comparable).filter((step) => step !== undefined);
      const labels = new Set(expected.map(([label]) => label));
      expect(steps.filter(([label]) => labels.has(label))).toEqual(expected);
    });
  }
});
