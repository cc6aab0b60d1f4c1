/** What a client must know; the same in every sandbox. */
export const CREDENTIALS = {
  keyId: "rzp_test_sandbox000001",
  keySecret: "sandbox_key_secret_1",
  webhookSecret: "sandbox_hook_secret_1",
  whatsappPhoneNumberId: "100000000000001",
  whatsappToken: "sandbox_whatsapp_token_1",
  whatsappAppSecret: "sandbox_app_secret_1",
  whatsappVerifyToken: "sandbox_verify_token_1",
  s3Bucket: "sandbox-copies",
  s3Region: "sandbox-1",
  s3AccessKeyId: "SANDBOXACCESSKEY1",
  s3SecretAccessKey: "sandbox_s3_secret_1",
  zoomAccountId: "sandbox_zoom_account_1",
  zoomClientId: "sandbox_zoom_client_1",
  zoomClientSecret: "sandbox_zoom_secret_1",
};

export type Credentials = typeof CREDENTIALS;
