// Colours for terminals; without one, none.
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

export const coloursFor = (wanted: boolean): Colours => pc.createColors(wanted && pc.isColorSupported);
