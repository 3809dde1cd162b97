// Every example of "Still Don't Do What Charlie Don't Does" and of the API versioning guidelines, with the
// verdict that they give.
import { parseLens } from '@instar/lens';
import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import {
  check,
  checkConversion,
  definitionOf,
  executedFindings,
  executeRule,
  lint,
  nextVersion,
  semverVerdict,
  verdictOf,
  withConversion,
} from './index.ts';
import { object, widgets } from './testing/widgets.ts';

const inPlace = (old: JSONSchemaProps, next: JSONSchemaProps) =>
  check(widgets({ v1: { spec: old } }), widgets({ v1: { spec: next } }));
const verdict = (old: JSONSchemaProps, next: JSONSchemaProps) => verdictOf(inPlace(old, next));
const bump = (old: JSONSchemaProps, next: JSONSchemaProps) => semverVerdict(inPlace(old, next)).bump;
const rules = (old: JSONSchemaProps, next: JSONSchemaProps) =>
  inPlace(old, next)
    .filter(({ severity }) => severity === 'breaking')
    .map(({ rule }) => rule);

const SIZE = { size: { type: 'integer' } };
const ROUND = { roundConfig: object({ radius: { type: 'integer' } }) };
const SQUARE = { squareConfig: object({ sideLength: { type: 'integer' } }) };
const OPEN =
  'The shape of the widget. More values may be added; an invalid one is processed and recorded as an error in status.';

describe('the talk', () => {
  const BAR = object({ bar: { type: 'integer' } });
  const BARS = object({ bars: { type: 'array', items: { type: 'integer' } } });
  const both = widgets({ v1alpha2: { spec: BAR }, v1alpha3: { spec: BARS } });

  it('renaming bar to bars is a breaking change', () => {
    expect(verdict(BAR, BARS)).toBe('breaking');
    const findings = check(widgets({ v1alpha2: { spec: BAR } }), both);
    expect(
      findings.find(({ scope, severity }) => scope === 'served-versions' && severity === 'breaking'),
    ).toMatchObject({
      version: 'v1alpha2',
      toVersion: 'v1alpha3',
      path: 'spec.bar',
      rule: 'field-renamed',
    });
  });

  it('a lens that renames bar to bars converts without loss', async () => {
    const { lens } = parseLens({
      apiVersion: 'instar.dev/v1alpha1',
      kind: 'Lens',
      metadata: { name: 'widgets' },
      spec: {
        crd: 'widgets.foomake.io',
        lenses: [
          { from: 'v1alpha2', to: 'v1alpha3', ops: [{ wrap: { from: 'spec.bar', to: 'spec.bars' } }] },
        ],
      },
    });
    const [was, is] = [definitionOf(widgets({ v1alpha2: { spec: BAR } }))!, definitionOf(both)!];
    const report = await checkConversion(was, is, (objects, to) => ({
      objects: objects.map((one) => lens!.convert(one, to) as unknown as JsonObject),
    }));
    expect(report.lossless).toBe(report.total);
    expect(report.total).toBeGreaterThan(50);
    expect(verdictOf(withConversion(check(widgets({ v1alpha2: { spec: BAR } }), both), report))).toBe(
      'converted',
    );
  });

  it('a conversion that drops the field is reported as lossy', async () => {
    const [was, is] = [definitionOf(widgets({ v1alpha2: { spec: BAR } }))!, definitionOf(both)!];
    const report = await checkConversion(was, is, (objects, apiVersion) => ({
      objects: objects.map((one) => ({ ...one, apiVersion, spec: {} }) as unknown as JsonObject),
    }));
    expect(report.lossless).toBeLessThan(report.total);
    expect(verdictOf(withConversion(check(widgets({ v1alpha2: { spec: BAR } }), both), report))).toBe(
      'breaking',
    );
  });

  it('a breaking change requires the next version', () => {
    expect([nextVersion('v1alpha1'), nextVersion('v1beta2'), nextVersion('v1')]).toEqual([
      'v1alpha2',
      'v1beta3',
      'v2alpha1',
    ]);
    expect(semverVerdict(inPlace(object({ size: { type: 'integer' } }), object({}))).newVersions).toEqual([
      { crd: 'widgets.foomake.io', version: 'v1', next: 'v2alpha1' },
    ]);
  });

  it('a new field that is required is always breaking', () => {
    expect(
      rules(object(SIZE), object({ ...SIZE, color: { type: 'string' } }, { required: ['color'] })),
    ).toEqual(['new-required-field']);
  });

  it.each<[string, JSONSchemaProps]>([
    ['newBehavior, where the empty string means the old behavior', { type: 'string', default: '' }],
    ['awesomenessLevel, where none is the old behavior', { type: 'string', default: 'none' }],
    ['timeoutSeconds, where unset means the default', { type: 'integer' }],
  ])('an optional new field is compatible: %s', (_, field) => {
    expect(verdict(object(SIZE), object({ ...SIZE, added: field }))).toBe('compatible');
    expect(bump(object(SIZE), object({ ...SIZE, added: field }))).toBe('patch');
  });

  it('adding a value to an enum that its controller reads is a caution unless it was declared open', () => {
    const type = (values: string[], description?: string) =>
      object({ type: { type: 'string', enum: values, ...(description !== undefined && { description }) } });
    expect(verdict(type(['round']), type(['round', 'square']))).toBe('caution');
    expect(verdict(type(['round'], OPEN), type(['round', 'square'], OPEN))).toBe('compatible');
  });

  it('changing a boolean to a string is breaking', () => {
    expect(
      rules(
        object({ enableAwesomeness: { type: 'boolean' } }),
        object({ enableAwesomeness: { type: 'string' } }),
      ),
    ).toEqual(['type-changed']);
  });

  it('a new required struct is breaking, a new optional one is not', () => {
    expect(verdict(object(ROUND), object({ ...ROUND, ...SQUARE }, { required: ['squareConfig'] }))).toBe(
      'breaking',
    );
    expect(verdict(object(ROUND), object({ ...ROUND, ...SQUARE }))).toBe('compatible');
  });

  it('a union can grow if its type is open and the new struct is optional', () => {
    const union = (values: string[], more: Record<string, JSONSchemaProps>, description: string) =>
      object({ type: { type: 'string', enum: values, description }, ...ROUND, ...more });
    expect(verdict(union(['round'], {}, OPEN), union(['round', 'square'], SQUARE, OPEN))).toBe('compatible');
    expect(bump(union(['round'], {}, OPEN), union(['round', 'square'], SQUARE, OPEN))).toBe('patch');
    expect(
      verdict(union(['round'], {}, 'The shape.'), union(['round', 'square'], SQUARE, 'The shape.')),
    ).toBe('caution');
  });

  it('stricter validation is breaking, looser validation is compatible', () => {
    const limit = (maximum: number) => object({ size: { type: 'integer', maximum } });
    expect(verdict(limit(10), limit(5))).toBe('breaking');
    expect(verdict(limit(5), limit(10))).toBe('compatible');
  });

  it('advises against bools, closed enums, maps, references across namespaces and missing conditions', () => {
    const spec = object({
      enabled: { type: 'boolean' },
      type: { type: 'string', enum: ['a'] },
      ports: { type: 'object', additionalProperties: object({ port: { type: 'integer' } }) },
      secretRef: object({ name: { type: 'string' }, namespace: { type: 'string' } }),
    });
    const found = new Set(lint(widgets({ v1: { spec } })).map(({ rule }) => rule));
    for (const rule of [
      'no-bool',
      'closed-enum',
      'no-maps',
      'cross-namespace-reference',
      'conditions-missing',
      'status-subresource-missing',
    ])
      expect(found).toContain(rule);
  });
});

describe('executeRule', () => {
  const run = (old: JSONSchemaProps, next: JSONSchemaProps) => {
    const [was, is] = [
      definitionOf(widgets({ v1: { spec: old } }))!,
      definitionOf(widgets({ v1: { spec: next } }))!,
    ];
    return executedFindings(is, executeRule(was, is)).map(({ severity }) => severity);
  };
  const demanded = (spec: JSONSchemaProps) => ({ ...spec, required: [...(spec.required ?? [])] });

  it('finds nothing if the schema did not change', () => {
    expect(run(object(SIZE), object(SIZE))).toEqual([]);
  });

  it('reports an optional field that the old version drops as a caution', () => {
    expect(run(object(SIZE), object({ ...SIZE, color: { type: 'string' } }))).toEqual(['caution']);
  });

  it('reports a required field that the old version drops as breaking', () => {
    const next = widgets({
      v1: { spec: demanded(object({ color: { type: 'string', minLength: 1 } }, { required: ['color'] })) },
    });
    const schema = (next['spec'] as JsonObject)['versions'] as JsonObject[];
    ((schema[0]!['schema'] as JsonObject)['openAPIV3Schema'] as JsonObject)['required'] = ['spec'];
    const [was, is] = [definitionOf(widgets({ v1: { spec: object({}) } }))!, definitionOf(next)!];
    expect(executedFindings(is, executeRule(was, is))).toMatchObject([
      { severity: 'breaking', evidence: [{ text: 'spec.color is lost' }] },
    ]);
  });

  it('applies objects of a new version as the old storage version', () => {
    const bars = { bars: { type: 'array', minItems: 1, items: { type: 'integer' } } };
    const [old, next] = [
      { spec: object(SIZE) },
      { spec: object(bars, { required: ['bars'], default: { bars: [1] } }) },
    ];
    const [was, is] = [
      definitionOf(widgets({ v1alpha2: old }))!,
      definitionOf(widgets({ v1alpha2: old, v1alpha3: next }))!,
    ];
    expect(executedFindings(is, executeRule(was, is))).toMatchObject([
      { version: 'v1alpha2', toVersion: 'v1alpha3', rule: 'executed-rule' },
    ]);
  });

  it('reports a changed default as breaking', () => {
    const mode = (value: string) => object({ mode: { type: 'string', default: value } }, { default: {} });
    expect(run(mode('fast'), mode('slow'))).toEqual(['breaking']);
  });

  it('finds nothing if the default of a new field means the old behavior', () => {
    expect(
      run(
        object(SIZE, { default: {} }),
        object({ ...SIZE, level: { type: 'string', default: 'none', enum: ['none'] } }, { default: {} }),
      ),
    ).toEqual([]);
  });
});

describe('the guidelines', () => {
  it('purely additive changes are a patch', () => {
    expect(bump(object(SIZE), object({ ...SIZE, color: { type: 'string' } }))).toBe('patch');
  });

  it.each<[string, JSONSchemaProps, JSONSchemaProps]>([
    ['removing a field', object({ ...SIZE, color: { type: 'string' } }), object(SIZE)],
    [
      'changing its name',
      object({ tls: object({ a: { type: 'string' }, b: { type: 'string' } }) }),
      object({ validation: object({ a: { type: 'string' }, b: { type: 'string' } }) }),
    ],
    [
      'changing what it means',
      object({ mode: { type: 'string', default: 'a' } }),
      object({ mode: { type: 'string', default: 'b' } }),
    ],
  ])('a semantic breaking change is a minor version: %s', (_, old, next) => {
    expect(bump(old, next)).toBe('minor');
  });

  it('dropping a resource, or making it another one, is a major version', () => {
    const crd = widgets({ v1: { spec: object(SIZE) } });
    expect(semverVerdict(check(crd, undefined)).bump).toBe('major');
    expect(
      semverVerdict(check(crd, widgets({ v1: { spec: object(SIZE) } }, { scope: 'Cluster' }))).bump,
    ).toBe('major');
  });

  it('renaming BackendTLSPolicy.TLS to Validation is breaking unless a lens converts it', async () => {
    const tls = object({
      hostname: { type: 'string' },
      caCertRefs: { type: 'array', items: { type: 'string' } },
    });
    const [old, next] = [
      widgets({ v1alpha2: { spec: object({ tls }) } }),
      widgets({ v1alpha2: { spec: object({ tls }) }, v1alpha3: { spec: object({ validation: tls }) } }),
    ];
    const { lens } = parseLens({
      apiVersion: 'instar.dev/v1alpha1',
      kind: 'Lens',
      metadata: { name: 'widgets' },
      spec: {
        crd: 'widgets.foomake.io',
        lenses: [
          {
            from: 'v1alpha2',
            to: 'v1alpha3',
            ops: [{ rename: { from: 'spec.tls', to: 'spec.validation' } }],
          },
        ],
      },
    });
    const findings = check(old, next);
    expect(verdictOf(findings)).toBe('breaking');
    const report = await checkConversion(definitionOf(old)!, definitionOf(next)!, (objects, to) => ({
      objects: objects.map((one) => lens!.convert(one, to) as unknown as JsonObject),
    }));
    expect(report.directions.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'v1alpha2 → v1alpha3',
      'v1alpha3 → v1alpha2',
    ]);
    expect(verdictOf(withConversion(findings, report))).toBe('converted');
  });

  it('a version in storedVersions cannot be removed, but can be marked as not served', () => {
    const [beta, v1] = [{ spec: object(SIZE) }, { spec: object(SIZE), storage: true }];
    const old = { ...widgets({ v1beta1: beta, v1 }), status: { storedVersions: ['v1beta1', 'v1'] } };
    expect(check(old, widgets({ v1 })).map(({ rule }) => rule)).toContain('stored-versions');
    const unserved = check(old, widgets({ v1beta1: { ...beta, served: false }, v1 }));
    expect(unserved.map(({ rule }) => rule)).not.toContain('stored-versions');
    expect(unserved).toContainEqual(
      expect.objectContaining({ rule: 'served', severity: 'breaking', version: 'v1beta1' }),
    );
  });

  it('forbid conversion webhooks and pruning, in their own profile only', () => {
    const crd = widgets(
      { v1: { spec: object(SIZE) } },
      { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } },
    );
    const found = lint(crd, { profile: 'gateway-api' })
      .filter(({ severity }) => severity === 'error')
      .map(({ rule }) => rule);
    expect(found).toContain('conversion-webhook');
    expect(found).toContain('preserve-unknown-fields-required');
    expect(lint(crd).map(({ rule }) => rule)).not.toContain('conversion-webhook');
  });
});
