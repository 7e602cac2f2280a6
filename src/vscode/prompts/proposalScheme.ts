/** The scheme of the two sides of a proposal, as `when` clauses name it. */
export const proposalScheme = 'parlance-proposal';
