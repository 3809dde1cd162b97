// Colors for terminals; none elsewhere.
import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

export const colorsFor = (wanted: boolean): Colors => pc.createColors(wanted && pc.isColorSupported);
