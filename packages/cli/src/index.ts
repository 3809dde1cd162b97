// For programs that embed an API server: `startServer({ storage: 'memory:' })`.
export { type EmbeddedServerOptions, startServer } from './start-server.ts';
