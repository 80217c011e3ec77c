// An identity provider for tests: everybody may sign in; the address follows from the login name.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [port, redirect] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: "postroom", client_secret: "a-secret-of-the-tests", redirect_uris: [redirect], grant_types: ["authorization_code"], response_types: ["code"] }],
  pkce: { required: () => true },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  conformIdTokenClaims: false,
  cookies: { keys: ["only-for-tests"] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_ctx, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@larkspur.example`, email_verified: !id.startsWith("unproved"), name: id }),
  }),
});
createServer(provider.callback()).listen(Number(port), "127.0.0.1", () => console.log(`ready ${issuer}`));
