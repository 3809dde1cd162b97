// jsonpatch.escapeKey(text): a key as a part of the path of a JSON Patch.
import { functionOf, type Library, overload } from '../../extension.ts';
import { stringType } from '../../values/types.ts';

const escapeKey = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    functionOf(
      'jsonpatch.escapeKey',
      overload('string_jsonpatch_escapeKey_string', [stringType], stringType, (text) =>
        escapeKey(text as string),
      ),
    ),
  ],
};
