// The HTTP client of webhooks, in a module of its own so that it is loaded when the first webhook is configured: it takes a good part of what a server
// needs to start.
export { buildConnector, Pool } from 'undici';
