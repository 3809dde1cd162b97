import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const packages = fileURLToPath(new URL('./packages/', import.meta.url));

// Tests run on the sources; only end-to-end tests start the built command.
const alias = readdirSync(packages).flatMap((name) => {
  const specifier = name === 'cli' ? 'instar' : `@instar/${name}`;
  return [
    { find: new RegExp(`^${specifier}$`), replacement: `${packages}${name}/src/index.ts` },
    { find: new RegExp(`^${specifier}/(.+)$`), replacement: `${packages}${name}/src/$1/index.ts` },
  ];
});

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for other processes; Vitest would leave one core of two idle.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
