// Defaults, preparation for writes, approval, establishing and deletion of a definition.
import { describe, expect, it } from 'vitest';
import { approvalCondition, isProtectedGroup, validateApproval } from './approval.ts';
import { findCondition } from './conditions.ts';
import { establishedCondition } from './establishing.ts';
import {
  CLEANUP_FINALIZER,
  hasCleanupFinalizer,
  isBeingDeleted,
  markForDeletion,
  removeCleanupFinalizer,
} from './finalizing.ts';
import { nonStructuralCondition } from './non-structural.ts';
import { prepareCrdForCreate, prepareCrdForStatusUpdate, prepareCrdForUpdate } from './prepare.ts';
import { changed, definition, establishedDefinition, version } from './testing/definition.ts';
import { crdWarnings } from './warnings.ts';

describe('defaults', () => {
  it('fill in names, conversion and storedVersions', () => {
    const { spec, status } = definition({ names: { plural: 'widgets', kind: 'BigWidget' } });
    expect(spec.names).toEqual({
      plural: 'widgets',
      kind: 'BigWidget',
      singular: 'bigwidget',
      listKind: 'BigWidgetList',
    });
    expect(spec.conversion).toEqual({ strategy: 'None' });
    expect(status.storedVersions).toEqual(['v1']);
  });

  it('drop an empty webhook', () => {
    const conversion = { strategy: 'None', webhook: {} as never };
    expect(definition({ conversion }).spec.conversion).toEqual({ strategy: 'None' });
  });

  it('make no names from nothing', () => {
    expect(definition({ names: { plural: 'widgets', kind: '' } }).spec.names).toEqual({
      plural: 'widgets',
      kind: '',
    });
  });
});

describe('preparation', () => {
  it('of a create resets the status', () => {
    const crd = changed(establishedDefinition(), ({ status, metadata }) => {
      status.storedVersions = ['v0', 'v1'];
      metadata.generation = 7;
    });
    prepareCrdForCreate(crd);
    expect(crd.status).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    expect(crd.metadata.generation).toBe(1);
  });

  const old = establishedDefinition({ versions: [version('v1', { storage: true }), version('v2')] });

  it('of an update keeps the status except for a new storage version', () => {
    const crd = changed(old, ({ spec, status }) => {
      spec.versions[0]!.storage = false;
      spec.versions[1]!.storage = true;
      status.conditions = null;
      status.storedVersions = ['v9'];
    });
    prepareCrdForUpdate(crd, old);
    expect(crd.status).toEqual({ ...old.status, storedVersions: ['v1', 'v2'] });
    expect(crd.metadata.generation).toBe(2);
    expect(old.status.storedVersions).toEqual(['v1']);
  });

  it('of an update leaves the generation alone unless the spec changed', () => {
    const crd = changed(old, ({ metadata }) => {
      metadata.labels = { a: 'b' };
      metadata.generation = 7;
    });
    prepareCrdForUpdate(crd, old);
    expect(crd.metadata.generation).toBe(1);
  });

  it('of a status update keeps the spec', () => {
    const crd = changed(old, ({ spec, status }) => {
      spec.scope = 'Cluster';
      status.storedVersions = ['v2'];
    });
    prepareCrdForStatusUpdate(crd, old);
    expect(crd.spec).toEqual(old.spec);
    expect(crd.status.storedVersions).toEqual(['v2']);
  });
});

describe('approval', () => {
  const inGroup = (group: string, approval?: string) =>
    changed(definition({ group }), ({ metadata }) => {
      if (approval !== undefined) metadata.annotations = { 'api-approved.kubernetes.io': approval };
    });

  it.each([
    ['k8s.io', true],
    ['gateway.networking.k8s.io', true],
    ['kubernetes.io', true],
    ['x.kubernetes.io', true],
    ['notk8s.io', false],
    ['k8s.io.example.com', false],
  ])('%s is protected: %s', (group, expected) => {
    expect(isProtectedGroup(group)).toBe(expected);
    expect(approvalCondition(inGroup(group)) !== undefined).toBe(expected);
  });

  it.each([
    [undefined, 'False', 'MissingAnnotation', ['FieldValueRequired']],
    ['', 'False', 'MissingAnnotation', ['FieldValueRequired']],
    ['unapproved, for now', 'False', 'UnapprovedAnnotation', []],
    ['https://github.com/kubernetes/enhancements/pull/1111', 'True', 'ApprovedAnnotation', []],
    ['yes', 'False', 'InvalidAnnotation', ['FieldValueInvalid']],
    ['/only/a/path', 'False', 'InvalidAnnotation', ['FieldValueInvalid']],
    ['mailto:someone', 'False', 'InvalidAnnotation', ['FieldValueInvalid']],
  ])('%j', (approval, status, reason, errors) => {
    const crd = inGroup('x.k8s.io', approval);
    expect(approvalCondition(crd)).toMatchObject({
      type: 'KubernetesAPIApprovalPolicyConformant',
      status,
      reason,
    });
    expect(validateApproval(crd, undefined).map(({ type }) => type)).toEqual(errors);
  });

  it('that is unchanged is not refused on update', () => {
    expect(validateApproval(inGroup('x.k8s.io', 'maybe'), inGroup('x.k8s.io', 'yes'))).toEqual([]);
    expect(validateApproval(inGroup('x.k8s.io'), inGroup('x.k8s.io', 'yes'))).toHaveLength(1);
  });
});

describe('establishing', () => {
  const accepted = changed(establishedDefinition(), ({ status }) => {
    status.conditions = status.conditions!.filter(({ type }) => type === 'NamesAccepted');
  });

  it('waits for names', () => {
    expect(establishedCondition(definition())).toBeUndefined();
    expect(establishedCondition(accepted)).toMatchObject({ status: 'True', reason: 'InitialNamesAccepted' });
  });

  it('happens once', () => {
    expect(establishedCondition(establishedDefinition())).toBeUndefined();
  });

  it('does not happen with a CA bundle without certificates', () => {
    const crd = changed(accepted, ({ spec }) => {
      spec.conversion = {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'https://example.com', caBundle: 'AAAA' },
        },
      };
    });
    expect(establishedCondition(crd)).toMatchObject({ status: 'False', reason: 'InvalidCABundle' });
  });
});

it('marks a definition for deletion with the finalizer of the server', () => {
  const crd = changed(establishedDefinition(), ({ metadata }) => {
    metadata.finalizers = ['example.com/mine'];
  });
  markForDeletion(crd, Date.UTC(2025, 0, 1));
  expect(crd.metadata).toMatchObject({
    deletionTimestamp: '2025-01-01T00:00:00Z',
    finalizers: ['example.com/mine', CLEANUP_FINALIZER],
  });
  expect(findCondition(crd, 'Terminating')).toMatchObject({
    status: 'True',
    reason: 'InstanceDeletionPending',
  });
  expect([isBeingDeleted(crd), hasCleanupFinalizer(crd)]).toEqual([true, true]);
  removeCleanupFinalizer(crd);
  expect(crd.metadata.finalizers).toEqual(['example.com/mine']);
});

describe('the NonStructuralSchema condition', () => {
  const withSchema = (schema: object, more: object = {}) =>
    definition({
      versions: [version('v1', { storage: true, schema: { openAPIV3Schema: schema } })],
      ...more,
    });

  it('is absent for structural schemas', () => {
    expect(nonStructuralCondition(definition())).toBeUndefined();
  });

  it('lists what is wrong', () => {
    const crd = withSchema({ type: 'object', properties: { a: {} } }, { preserveUnknownFields: true });
    expect(nonStructuralCondition(crd)).toEqual({
      type: 'NonStructuralSchema',
      status: 'True',
      reason: 'Violations',
      message:
        '[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]',
    });
  });

  it('is unknown for a schema that cannot be parsed', () => {
    expect(nonStructuralCondition(withSchema({ type: 'object', $ref: '#/x' }))).toMatchObject({
      status: 'Unknown',
      reason: 'StructuralError',
      message: "failed to check validation schema for version v1: OpenAPIV3Schema '$ref' is not supported",
    });
  });
});

describe('warnings', () => {
  const withFormats = (...formats: string[]) =>
    definition({
      versions: [
        version('v1', {
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(
                formats.map((format, index) => [`f${index}`, { type: 'string', format }]),
              ),
            },
          },
        }),
      ],
    });

  it('name formats that have no effect', () => {
    expect(crdWarnings(withFormats('color', 'date-time', 'int32'))).toEqual([
      'unrecognized format "color"',
      'unrecognized format "int32"',
    ]);
  });

  it('are not repeated for formats that were there', () => {
    expect(crdWarnings(withFormats('color', 'smell'), withFormats('color'))).toEqual([
      'unrecognized format "smell"',
    ]);
  });
});
