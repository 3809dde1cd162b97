// duration(int): nanoseconds as a duration. Later releases of cel-go no longer have it, and Kubernetes 1.36
// still does.
import { functionOf, type Library, overload } from '../../extension.ts';
import { durationType, intType } from '../../values/types.ts';
import { Duration } from '../../values.ts';

export const durationLibrary: Library = {
  name: 'kubernetes.duration',
  functions: [
    functionOf(
      'duration',
      overload(
        'int64_to_duration',
        [intType],
        durationType,
        (nanos) => new Duration(BigInt(nanos as number | bigint)),
      ),
    ),
  ],
};
