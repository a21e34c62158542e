export const signIn = {
  signIn: {
    title: 'Sign in',
    lead: 'With the API key and a service key of your company.',
    apiKey: 'API key',
    serviceKey: 'Service key',
    submit: 'Sign in',
    keep: 'Stay signed in when this page is reloaded',
    memory: 'The keys stay in the memory of this tab. Reloading or closing it signs you out.',
    kept: 'The keys are written to the session storage of this tab, readable by its scripts, until you sign out or close it.',
    where: 'npm start prints the keys of the demo company; npm run cli -- key:create makes new ones.',
    isServiceKey: 'This is a service key: it belongs in the other field. An API key begins with pk_.',
    isApiKey: 'This is an API key: it belongs in the other field. A service key begins with sk_.',
    otherMode: 'One of the keys is for tests and the other for live business. Both must be of one kind.',
    wrong: 'These keys are not accepted. Check that both belong to the same company.',
    notAdmin: 'This key may not administer the company. Sign in with a service key, sk_…',
  },
};
