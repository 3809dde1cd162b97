// AlwaysPullImages: every container's image is pulled anew, so that nobody uses an image that only others may
// pull.
import { fieldErrorMessage, fieldErrors } from '@instar/machinery';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { denied, isWholeWrite, type PluginDefinition } from './plugin.ts';

interface Container {
  image?: string;
  imagePullPolicy?: string;
}

interface PodSpec {
  initContainers?: Container[];
  containers: Container[];
  ephemeralContainers?: Container[];
  volumes?: { image?: { pullPolicy?: string } }[];
}

const specOf = (object: unknown): PodSpec => (object as { spec: PodSpec }).spec;
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const imagesOf = (spec: PodSpec) => LISTS.flatMap((list) => (spec[list] ?? []).map(({ image }) => image));

export const alwaysPullImages: PluginDefinition = {
  name: 'AlwaysPullImages',
  make: () => ({
    resources: ['/pods'],
    mutate(operation) {
      if (!concerns(operation)) return;
      const spec = specOf(operation.object);
      for (const list of LISTS)
        for (const container of spec[list] ?? []) container.imagePullPolicy = 'Always';
      for (const { image } of spec.volumes ?? []) if (image != null) image.pullPolicy = 'Always';
    },
    validate(operation) {
      const [first] = concerns(operation) ? faultsOf(specOf(operation.object)) : [];
      if (first !== undefined) throw denied(operation, first);
    },
  }),
};

/** Not an update that brings no new image. */
function concerns(operation: AdmissionOperation): boolean {
  if (!isWholeWrite(operation)) return false;
  if (operation.operation === 'CREATE') return true;
  const known = new Set(imagesOf(specOf(operation.old)));
  return imagesOf(specOf(operation.object)).some((image) => !known.has(image));
}

function faultsOf(spec: PodSpec): string[] {
  const fault = (path: string, policy: string | undefined): string[] =>
    policy === 'Always' ? [] : [fieldErrorMessage(fieldErrors.notSupported(path, policy ?? '', ['Always']))];
  return [
    ...LISTS.flatMap((list) =>
      (spec[list] ?? []).flatMap(({ imagePullPolicy }, index) =>
        fault(`spec.${list}[${index}].imagePullPolicy`, imagePullPolicy),
      ),
    ),
    ...(spec.volumes ?? []).flatMap(({ image }, index) =>
      image == null ? [] : fault(`spec.volumes[${index}].image.pullPolicy`, image.pullPolicy),
    ),
  ];
}
