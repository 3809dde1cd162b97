// apps/v1 ControllerRevision: the state of a workload that a controller keeps, so that it can return to it.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  encodeGoJson,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonValue,
  type KubeObject,
  parseApiVersion,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import { validateImmutable, validateNonnegative } from '../../validate/amounts.ts';

interface ControllerRevision extends KubeObject {
  data?: JsonValue;
  revision: number;
}

const DATA = FieldPath.of('data');

const validateRevision = ({ metadata, revision }: ControllerRevision): FieldError[] => [
  ...validateObjectMeta(metadata, true, nameIsDnsSubdomain),
  ...validateNonnegative(revision, FieldPath.of('revision')),
];

function validateData({ data }: ControllerRevision): FieldError[] {
  if (data === undefined || data === null) return [fieldErrors.required(DATA, 'data is mandatory')];
  return isJsonObject(data) ? [] : [fieldErrors.required(DATA, 'data must be a valid JSON object')];
}

/** Of data of any form, the keys are printed in their order. */
const validateSameData = ({ data }: ControllerRevision, old: ControllerRevision): FieldError[] =>
  validateImmutable(data, old.data, DATA, encodeGoJson(data ?? null));

/** The owner that controls it, as kubectl names it. */
function controllerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseApiVersion(owner.apiVersion)?.group ?? '';
  const kind = owner.kind.toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${owner.name}`;
}

export const controllerRevisions = defineKind({
  plural: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  storagePath: 'controllerrevisions/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.ControllerRevision'),
      columns: [
        nameColumn,
        column('Controller', 'The workload that it belongs to.', (object) => controllerOf(object as never)),
        column('Revision', 'The number of the state.', ({ revision }) => revision ?? 0),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (object) => [
      ...validateRevision(object as ControllerRevision),
      ...validateData(object as ControllerRevision),
    ],
    validateUpdate: (object, old) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateRevision(object as ControllerRevision),
      ...validateSameData(object as ControllerRevision, old as ControllerRevision),
    ],
  },
  ownMetadataValidation: true,
});
