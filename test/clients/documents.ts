/** Where each API describes itself, by its name. */
export const DOCUMENTS = { public: '/public/openapi.json', domain: '/openapi.json' } as const
