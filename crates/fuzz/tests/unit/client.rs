//! Unit tests of `src/nats/client.rs`.

use super::*;

#[test]
fn an_address_may_say_who_we_are() {
    let check = |address: &str, host: &str, who: Option<Who>| {
        assert_eq!(split(address), (host.to_string(), who), "{address}");
    };
    let user = |user: &str, password: &str| Some(Who::User(user.to_string(), password.to_string()));
    check("nats://host:4222", "nats://host:4222", None);
    check("nats://me:secret@host:4222", "nats://host:4222", user("me", "secret"));
    check("tls://me:p%40ss%3a%25@host", "tls://host", user("me", "p@ss:%"));
    check("nats://me:a@b@host", "nats://host", user("me", "a@b"));
    check("nats://t0ken@host", "nats://host", Some(Who::Token("t0ken".to_string())));
    check("me:50%@host", "host", user("me", "50%"));
    check("me:%zz%ä@host", "host", user("me", "%zz%ä"));
}
