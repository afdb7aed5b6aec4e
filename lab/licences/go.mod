module seq2attn/lab/licences

go 1.26.5

require github.com/google/licensecheck v0.3.1
