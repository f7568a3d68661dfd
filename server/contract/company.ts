/** What a company may have: plans and features, which decide whether the tenant API is open to it. */
export const PLANS = ['starter', 'business', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]
export const FEATURES = ['domain_api', 'mcp'] as const
export type Feature = (typeof FEATURES)[number]

export const isPlan = (name: string): name is Plan => PLANS.some((plan) => plan === name)
export const isFeature = (name: string): name is Feature => FEATURES.some((feature) => feature === name)
